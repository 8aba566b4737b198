import { CONFIG_MAPS, SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { decodeRelease, decodeWithoutValues, encodeRelease } from './encode.ts';
import type { Release } from './release.ts';
import { MalformedRelease } from './release-from-json.ts';
import type { ListedRelease, ReleaseStorage, UnreadableRelease } from './storage.ts';
import { RecordBudget } from './unpack-record.ts';

/** What a Secret or ConfigMap may hold: https://kubernetes.io/docs/concepts/configuration/secret/#restriction-data-size */
const LIMIT_BYTES = 1024 * 1024;
/** What status, times and the results of hooks may still add after the first writing. */
const SPARE_BYTES = 4096;

/** What a list shows of a release is no longer than this, in characters each. */
const MAX_SHOWN = 1024;

const OWN_LABELS = new Set(['name', 'owner', 'status', 'version', 'createdAt', 'modifiedAt']);

type Decode = (text: string, labels: Readonly<Record<string, string>>) => Release;

interface StorageObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The storage of Helm's drivers `secret` and `configmap`. */
export function clusterStorage(
  client: KubeClient,
  clock: Clock,
  driver: ReleaseStorage['driver'] = 'secret',
): ReleaseStorage {
  const type = driver === 'secret' ? SECRETS : CONFIG_MAPS;

  const tryRead = <T>(
    object: StorageObject,
    unreadable: UnreadableRelease[],
    decode: Decode,
    part: (release: Release) => T,
  ): T | undefined => {
    try {
      return part(readObject(object, driver, decode));
    } catch (error) {
      // Nothing in here asks the cluster: what is nested too deeply, or of another type, fails where it is read.
      if (!(error instanceof MalformedRelease || error instanceof RangeError || error instanceof TypeError))
        throw error;
      const { name, namespace = '', labels = {} } = object.metadata;
      const version = revisionOf(object);
      unreadable.push({
        name,
        namespace,
        release: labels.name,
        version: version > 0 ? version : undefined,
        why: error.message,
      });
      return undefined;
    }
  };

  async function* objectsOf(
    namespace: string | undefined,
    labelSelector: string,
    signal: AbortSignal | undefined,
  ): AsyncIterable<StorageObject> {
    for await (const { items } of client.list<StorageObject>(type, { namespace, labelSelector }, { signal }))
      yield* items;
  }

  const select = async (
    namespace: string | undefined,
    labelSelector: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly releases: Release[]; readonly unreadable: readonly UnreadableRelease[] }> => {
    const releases: Release[] = [];
    const unreadable: UnreadableRelease[] = [];
    const budget = new RecordBudget();
    const decode: Decode = (text, labels) => decodeRelease(text, labels, budget);
    for await (const object of objectsOf(namespace, labelSelector, signal)) {
      const release = tryRead(object, unreadable, decode, (whole) => whole);
      if (release !== undefined) releases.push(release);
    }
    return { releases, unreadable };
  };

  const objectFor = (release: Release, stamp: 'createdAt' | 'modifiedAt') => {
    const text = encodeRelease(release);
    return {
      apiVersion: 'v1',
      kind: type.kind,
      metadata: {
        name: objectName(release),
        namespace: release.namespace,
        labels: {
          ...release.labels,
          [stamp]: String(Math.floor(clock.now() / 1000)),
          name: release.name,
          owner: 'helm',
          status: release.info.status,
          version: String(release.version),
        },
      },
      ...(driver === 'secret' ? { type: 'helm.sh/release.v1' } : {}),
      data: { release: driver === 'secret' ? Buffer.from(text, 'latin1').toString('base64') : text },
    };
  };

  return {
    driver,
    async history(namespace, name, { signal } = {}) {
      const { releases, unreadable } = await select(namespace, `name=${name},owner=helm`, signal);
      const [broken] = unreadable;
      if (broken !== undefined) throw unreadableRelease(type.singular, broken);
      return [...releases].sort((a, b) => a.version - b.version);
    },
    async list(namespace, { signal } = {}) {
      const revisions = new Map<string, StorageObject[]>();
      for await (const object of objectsOf(namespace, 'owner=helm', signal)) {
        const { labels = {}, name, namespace: place } = object.metadata;
        const key = JSON.stringify([place, labels.name ?? name]);
        revisions.set(key, [...(revisions.get(key) ?? []), object]);
      }
      const releases: ListedRelease[] = [];
      const unreadable: UnreadableRelease[] = [];
      for (const objects of revisions.values()) {
        // What is older is not taken out of its packing: ten revisions are kept of each.
        for (const object of objects.sort((a, b) => revisionOf(b) - revisionOf(a))) {
          const release = tryRead(object, unreadable, decodeWithoutValues, listed);
          if (release === undefined) continue;
          releases.push(release);
          break;
        }
      }
      return { releases, unreadable };
    },
    checkSize(release) {
      checkSize(release, encodeRelease(release).length, LIMIT_BYTES - SPARE_BYTES);
    },
    async create(release, options) {
      const object = objectFor(release, 'createdAt');
      try {
        const made = await client.create<KubeObject>(type, release.namespace, object, options);
        return made.metadata.creationTimestamp;
      } catch (error) {
        if (error instanceof KubeError && error.reason === 'AlreadyExists')
          throw inProgress(client, release, error);
        throw error;
      }
    },
    async update(release, options) {
      await client.update(
        type,
        { namespace: release.namespace, name: objectName(release) },
        objectFor(release, 'modifiedAt'),
        options,
      );
    },
    async delete(release, options) {
      await client.delete(type, { namespace: release.namespace, name: objectName(release) }, options);
    },
  };
}

/** @throws MalformedRelease */
function readObject(object: StorageObject, driver: ReleaseStorage['driver'], decode: Decode): Release {
  const { labels = {}, name, namespace = '' } = object.metadata;
  const held = object.data?.release;
  if (held === undefined) throw new MalformedRelease('it holds no release');
  const own = Object.fromEntries(Object.entries(labels).filter(([key]) => !OWN_LABELS.has(key)));
  const text = driver === 'secret' ? Buffer.from(held, 'base64').toString('latin1') : held;
  const release = decode(text, own);
  if (name !== objectName(release)) throw new MalformedRelease(`it holds ${objectName(release)}`);
  // Helm trusts the place over the text: an object that was copied elsewhere belongs there.
  return { ...release, namespace };
}

/** Only what is shown, so that one release at a time is in memory as a whole. */
function listed({ name, namespace, version, info, chart: { metadata } }: Release): ListedRelease {
  const { status, lastDeployed } = info;
  return {
    name,
    namespace,
    version,
    info: { status, lastDeployed: lastDeployed === undefined ? undefined : shownText(lastDeployed) },
    chart: {
      metadata: {
        name: shownText(metadata.name),
        version: shownText(metadata.version),
        appVersion: shownText(metadata.appVersion),
      },
    },
  };
}

/** A field of the chart's metadata, which nobody has checked. */
function shownText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || value.length > MAX_SHOWN)
    throw new MalformedRelease('its chart has no proper name or version');
  return value;
}

/** As the driver labels it; 0 where that is no number. */
function revisionOf({ metadata }: StorageObject): number {
  return Number(metadata.labels?.version) || 0;
}

/** Name of the object that holds a revision. */
export function objectName({ name, version }: Release): string {
  return `sh.helm.release.v1.${name}.v${version}`;
}

function checkSize(release: Release, bytes: number, limitBytes: number): void {
  if (bytes <= limitBytes) return;
  const files = [...release.chart.files, ...release.chart.templates];
  const [largest] = [...files].sort((a, b) => b.data.length - a.data.length);
  throw new LogtoolError({
    code: 'release-too-large',
    what: `the release ${release.name} does not fit into the cluster: nothing was changed`,
    why: `its record takes ${bytes.toLocaleString('en')} bytes, an object of the cluster holds ${limitBytes.toLocaleString('en')}`,
    next:
      largest === undefined
        ? 'make the chart smaller'
        : `leave files out of the chart by .helmignore; the largest is ${largest.name} with ${largest.data.length.toLocaleString('en')} bytes`,
  });
}

function inProgress({ cluster }: KubeClient, release: Release, cause: unknown): LogtoolError {
  return new LogtoolError({
    code: 'release-in-progress',
    what: `another operation made revision ${release.version} of the release ${release.name} at the same time`,
    why: 'two installs, upgrades or rollbacks ran at once, and the other was first; this one changed nothing',
    next: `wait for it to end, look at its result with: logtool cluster history --name ${release.name} -n ${release.namespace}${cluster.flags ?? ''}`,
    cause,
  });
}

function unreadableRelease(type: string, { name, namespace, why }: UnreadableRelease): LogtoolError {
  return new LogtoolError({
    code: 'release-unreadable',
    what: `the ${type} ${name} in the namespace ${namespace} holds no release that can be read`,
    why,
    next: `look at it with: kubectl get ${type} ${name} -n ${namespace} -o yaml`,
  });
}
