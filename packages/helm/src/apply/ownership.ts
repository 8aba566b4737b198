import type { KubeClient, KubeObject, RequestOptions } from '@logtool/kube/src/client.ts';
import { isAbsentObject, isKubeError } from '@logtool/kube/src/errors.ts';
import { helmFailure, type OtherRelease, type UnmarkedObject, type WrongMark } from '../failures.ts';
import { mapAt, metadataOf } from './cluster-object.ts';
import { type Target, targetText } from './target.ts';

/** The release that owns objects. */
export interface Owner {
  readonly name: string;
  readonly namespace: string;
}

export const MANAGED_BY = 'app.kubernetes.io/managed-by';
export const RELEASE_NAME = 'meta.helm.sh/release-name';
export const RELEASE_NAMESPACE = 'meta.helm.sh/release-namespace';

/** Writes the release's marks into an object, replacing those of its manifest. Hooks get no marks. */
export function markOwned({ object }: Target, owner: Owner): void {
  const metadata = metadataOf(object.content);
  mapAt(metadata, 'labels').set(MANAGED_BY, 'Helm');
  const annotations = mapAt(metadata, 'annotations');
  annotations.set(RELEASE_NAME, owner.name);
  annotations.set(RELEASE_NAMESPACE, owner.namespace);
}

/** Returns the marks by which a live object does not belong to the release; empty if it belongs. */
export function wrongMarks(live: KubeObject, owner: Owner): readonly WrongMark[] {
  const { labels = {}, annotations = {} } = live.metadata;
  return [
    ...wrong('label', labels, MANAGED_BY, 'Helm'),
    ...wrong('annotation', annotations, RELEASE_NAME, owner.name),
    ...wrong('annotation', annotations, RELEASE_NAMESPACE, owner.namespace),
  ];
}

/**
 * Returns the other release that a live object names as its owner; undefined if it names none. One differing annotation
 * suffices. An object without annotations names no owner: Helm's hooks have none.
 */
export function otherRelease({ metadata }: KubeObject, owner: Owner): OtherRelease | undefined {
  const { annotations = {} } = metadata;
  const [name, namespace] = [RELEASE_NAME, RELEASE_NAMESPACE].map((key) =>
    Object.hasOwn(annotations, key) ? annotations[key] : undefined,
  );
  const isOwn = (name ?? owner.name) === owner.name && (namespace ?? owner.namespace) === owner.namespace;
  return isOwn ? undefined : { name, namespace };
}

function wrong(
  kind: WrongMark['kind'],
  held: Readonly<Record<string, string>>,
  key: string,
  wanted: string,
): readonly WrongMark[] {
  const actual = Object.hasOwn(held, key) ? held[key] : undefined;
  return actual === wanted ? [] : [{ kind, key, wanted, actual }];
}

export interface ReadOwnedOptions extends RequestOptions {
  /** Treat unreadable objects as missing; a later check reports all missing permissions together. */
  readonly skipsForbidden: boolean;
  /**
   * Selects objects that the release already has. `readOwned` refuses those only if they name another release: an
   * upgrade marks unmarked ones.
   */
  readonly isOld?: ((target: Target) => boolean) | undefined;
}

/** The live object of each new target; undefined if it does not exist. */
export type LiveTargets = ReadonlyMap<Target, KubeObject | undefined>;

/**
 * Reads the live object of each target.
 * @throws CodedError `not-owned`, naming every live object that does not belong to the release.
 */
export async function readOwned(
  client: KubeClient,
  targets: readonly Target[],
  owner: Owner,
  options: ReadOwnedOptions,
): Promise<LiveTargets> {
  const live = new Map<Target, KubeObject | undefined>();
  const foreign: UnmarkedObject[] = [];
  await Promise.all(
    targets.map(async (target) => {
      let found: KubeObject | undefined;
      try {
        found = await readLive(client, target, options);
      } catch (error) {
        if (options.skipsForbidden && isKubeError(error, 'forbidden')) return;
        throw error;
      }
      const isOld = options.isOld?.(target) === true;
      // Hooks may still change an object of the release, so `converge` reads it again before applying it.
      if (!isOld) live.set(target, found);
      if (found === undefined || (isOld && otherRelease(found, owner) === undefined)) return;
      const marks = wrongMarks(found, owner);
      if (marks.length > 0) foreign.push({ object: targetText(target), marks });
    }),
  );
  if (foreign.length > 0)
    throw helmFailure('not-owned', { of: 'chart', release: owner.name, objects: foreign.sort(byObject) });
  return live;
}

/** Orders lists independently of which response arrived first. */
export function byObject(a: { readonly object: string }, b: { readonly object: string }): number {
  return a.object < b.object ? -1 : a.object > b.object ? 1 : 0;
}

/** Returns the live object of a target; undefined if it does not exist or has no name yet. */
export async function readLive(
  client: KubeClient,
  { object, type, namespace }: Target,
  options: RequestOptions,
): Promise<KubeObject | undefined> {
  if (object.name === '') return undefined;
  try {
    return await client.get(type, { namespace, name: object.name }, options);
  } catch (error) {
    if (isAbsentObject(error)) return undefined;
    throw error;
  }
}
