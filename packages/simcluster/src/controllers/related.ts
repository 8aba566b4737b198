import type { Store, StoredObject } from '../store/store.ts';
import { controllerOf, isPodActive, isPodReady, podSpec } from './objects.ts';

/** Returns the objects of a resource that an owner controls, ordered by name. */
export function controlledBy(store: Store, resource: string, owner: StoredObject): readonly StoredObject[] {
  return store.index(resource, 'controller', controllerUids).of(owner.metadata.uid);
}

/** Returns the pods of an owner that are neither finished nor terminating. */
export function activePods(store: Store, owner: StoredObject): PodGroup {
  const index = store.index('pods', 'active', activeControllerUids);
  const { uid } = owner.metadata;
  return { count: index.count(uid), list: () => index.of(uid) };
}

/** Returns how many of these pods are ready. */
export function readyPods(store: Store, owner: StoredObject): number {
  return store.index('pods', 'ready', readyControllerUids).count(owner.metadata.uid);
}

/** Returns how many pods of an owner are terminating. */
export function terminatingPods(store: Store, owner: StoredObject): number {
  return store.index('pods', 'terminating', terminatingControllerUids).count(owner.metadata.uid);
}

export interface PodGroup {
  readonly count: number;
  list(): readonly StoredObject[];
}

/** Returns the objects of a resource that refer to an owner, as their controller or not. */
export function dependentsOf(store: Store, resource: string, ownerUid: string): readonly StoredObject[] {
  return store.index(resource, 'owner', ownerUids).of(ownerUid);
}

/** Returns the objects of a namespace that have no controller. */
export function withoutController(
  store: Store,
  resource: string,
  namespace: string | undefined,
): readonly StoredObject[] {
  return store.index(resource, 'uncontrolled', keyWithoutController).of(namespace ?? '');
}

/** Returns the pods that are assigned to a node, including finished ones. */
export function podsOn(store: Store, node: string): readonly StoredObject[] {
  return store.index('pods', 'node', nodeNames).of(node);
}

/** Returns the pods of a namespace that have one label. */
export function podsLabeled(
  store: Store,
  namespace: string | undefined,
  label: string,
  value: string,
): readonly StoredObject[] {
  return store.index('pods', 'label', labelKeys).of(labelKey(namespace, label, value));
}

const NONE: readonly string[] = [];

function controllerUids(object: StoredObject): readonly string[] {
  const controller = controllerOf(object);
  return controller === undefined ? NONE : [controller.uid];
}

function activeControllerUids(pod: StoredObject): readonly string[] {
  return isPodActive(pod) ? controllerUids(pod) : NONE;
}

function readyControllerUids(pod: StoredObject): readonly string[] {
  return isPodActive(pod) && isPodReady(pod) ? controllerUids(pod) : NONE;
}

function terminatingControllerUids(pod: StoredObject): readonly string[] {
  return pod.metadata.deletionTimestamp === undefined ? NONE : controllerUids(pod);
}

function ownerUids(object: StoredObject): readonly string[] {
  return object.metadata.ownerReferences?.map(({ uid }) => uid) ?? NONE;
}

function keyWithoutController(object: StoredObject): readonly string[] {
  return controllerOf(object) === undefined ? [object.metadata.namespace ?? ''] : NONE;
}

function nodeNames(pod: StoredObject): readonly string[] {
  const { nodeName } = podSpec(pod);
  return nodeName === undefined ? NONE : [nodeName];
}

function labelKeys(pod: StoredObject): readonly string[] {
  const { namespace, labels = {} } = pod.metadata;
  return Object.entries(labels).map(([label, value]) => labelKey(namespace, label, value));
}

function labelKey(namespace: string | undefined, label: string, value: string): string {
  return `${namespace ?? ''}/${label}=${value}`;
}
