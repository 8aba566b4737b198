import type { Store, StoredObject } from '../store/store.ts';
import { controllerOf, isPodActive, isPodReady, podSpec } from './objects.ts';

/** The objects of a resource that an owner controls, in the order of their names. */
export function controlledBy(store: Store, resource: string, owner: StoredObject): readonly StoredObject[] {
  return store.index(resource, 'controller', controllerUids).of(owner.metadata.uid);
}

/** Pods that an owner controls and that are neither finished nor on their way out. */
export function activePods(store: Store, owner: StoredObject): PodGroup {
  const index = store.index('pods', 'active', activeControllerUids);
  const { uid } = owner.metadata;
  return { count: index.count(uid), list: () => index.of(uid) };
}

/** How many of them are ready. */
export function readyPods(store: Store, owner: StoredObject): number {
  return store.index('pods', 'ready', readyControllerUids).count(owner.metadata.uid);
}

/** How many pods of an owner are on their way out. */
export function terminatingPods(store: Store, owner: StoredObject): number {
  return store.index('pods', 'terminating', terminatingControllerUids).count(owner.metadata.uid);
}

export interface PodGroup {
  readonly count: number;
  list(): readonly StoredObject[];
}

/** The objects of a resource that name an owner, as their controller or not. */
export function dependentsOf(store: Store, resource: string, ownerUid: string): readonly StoredObject[] {
  return store.index(resource, 'owner', ownerUids).of(ownerUid);
}

/** The objects of a namespace that have no controller. */
export function withoutController(
  store: Store,
  resource: string,
  namespace: string | undefined,
): readonly StoredObject[] {
  return store.index(resource, 'uncontrolled', keyWithoutController).of(namespace ?? '');
}

/** The pods that were given to a node, finished ones included. */
export function podsOn(store: Store, node: string): readonly StoredObject[] {
  return store.index('pods', 'node', nodeNames).of(node);
}

/** The pods of a namespace that carry one label. */
export function podsLabelled(
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
