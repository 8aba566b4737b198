import { CONFIG_MAPS, SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type ConflictingRevision, helmFailure } from '../failures.ts';
import { decodeRelease, decodeWithoutValues, encodeRelease } from './encode.ts';
import { MalformedRelease, type RecordProblem } from './record-problem.ts';
import type { Release } from './release.ts';
import type {
  ListedRelease,
  ReleaseList,
  ReleaseStorage,
  StorageOptions,
  UnreadableRelease,
} from './storage.ts';
import { RecordBudget } from './unpack-record.ts';

/**
 * Maximum size of a Secret or ConfigMap:
 * https://kubernetes.io/docs/concepts/configuration/secret/#restriction-data-size
 */
const LIMIT_BYTES = 1024 * 1024;
/** Space for what status, times and hook results may add after the first write. */
const SPARE_BYTES = 4096;

/** Maximum length of each text of a release in a list, in characters. */
const MAX_SHOWN = 1024;

const OWN_LABELS = new Set(['name', 'owner', 'status', 'version', 'createdAt', 'modifiedAt']);

type Decode = (text: string, labels: Readonly<Record<string, string>>) => Release;

interface StorageObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Creates the storage of Helm's drivers `secret` and `configmap`. */
export function clusterStorage(
  client: KubeClient,
  clock: Clock,
  driver: ReleaseStorage['driver'] = 'secret',
): ReleaseStorage {
  return new ClusterStorage(client, clock, driver);
}

class ClusterStorage implements ReleaseStorage {
  readonly driver: ReleaseStorage['driver'];
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #type: ResourceType;

  constructor(client: KubeClient, clock: Clock, driver: ReleaseStorage['driver']) {
    this.driver = driver;
    this.#client = client;
    this.#clock = clock;
    this.#type = driver === 'secret' ? SECRETS : CONFIG_MAPS;
  }

  async history(
    namespace: string,
    name: string,
    { signal }: StorageOptions = {},
  ): Promise<readonly Release[]> {
    const releases: Release[] = [];
    const budget = new RecordBudget();
    const decode: Decode = (text, labels) => decodeRelease(text, labels, budget);
    let broken: UnreadableRelease | undefined;
    for await (const object of this.#objects(namespace, `name=${name},owner=helm`, signal)) {
      const read = this.#read(object, decode);
      if (read.isReadable) releases.push(read.release);
      else broken ??= read.unreadable;
    }
    if (broken !== undefined) {
      const { name: object, record } = broken;
      throw helmFailure('release-unreadable', {
        type: this.#type.singular,
        name: object,
        namespace: broken.namespace,
        record,
      });
    }
    return releases.sort((a, b) => a.version - b.version);
  }

  async list(namespace: string | undefined, { signal }: StorageOptions = {}): Promise<ReleaseList> {
    const revisions = new Map<string, StorageObject[]>();
    for await (const object of this.#objects(namespace, 'owner=helm', signal)) {
      const { labels = {}, name, namespace: stored } = object.metadata;
      const key = JSON.stringify([stored, labels.name ?? name]);
      revisions.set(key, [...(revisions.get(key) ?? []), object]);
    }
    const releases: ListedRelease[] = [];
    const unreadable: UnreadableRelease[] = [];
    for (const objects of revisions.values()) {
      // Stop at the newest readable revision: unpacking all of them, ten a release, is slow.
      for (const object of objects.sort((a, b) => revisionOf(b) - revisionOf(a))) {
        const read = this.#read(object, decodeWithoutValues, listed);
        if (read.isReadable) {
          releases.push(read.release);
          break;
        }
        unreadable.push(read.unreadable);
      }
    }
    return { releases, unreadable };
  }

  checkSize(release: Release): void {
    checkSize(release, encodeRelease(release).length, LIMIT_BYTES - SPARE_BYTES);
  }

  async create(release: Release, options?: StorageOptions): Promise<string | undefined> {
    const object = this.#objectFor(release, 'createdAt');
    try {
      const made = await this.#client.create<KubeObject>(this.#type, release.namespace, object, options);
      return made.metadata.creationTimestamp;
    } catch (error) {
      if (error instanceof KubeError && error.reason === 'AlreadyExists')
        throw helmFailure('release-in-progress', this.#conflict(release), { cause: error });
      throw error;
    }
  }

  async update(release: Release, options?: StorageOptions): Promise<void> {
    const id = { namespace: release.namespace, name: objectName(release) };
    await this.#client.update(this.#type, id, this.#objectFor(release, 'modifiedAt'), options);
  }

  async delete(release: Release, options?: StorageOptions): Promise<void> {
    const id = { namespace: release.namespace, name: objectName(release) };
    await this.#client.delete(this.#type, id, options);
  }

  #conflict({ name, namespace, version }: Release): ConflictingRevision {
    return { of: 'conflict', release: { name, namespace }, revision: version };
  }

  async *#objects(
    namespace: string | undefined,
    labelSelector: string,
    signal: AbortSignal | undefined,
  ): AsyncIterable<StorageObject> {
    const pages = this.#client.list<StorageObject>(this.#type, { namespace, labelSelector }, { signal });
    for await (const { items } of pages) yield* items;
  }

  /** Reads a revision, or a selected part of it; describes an unreadable one instead. */
  #read(object: StorageObject, decode: Decode): Read<Release>;
  #read<Result>(object: StorageObject, decode: Decode, select: (release: Release) => Result): Read<Result>;

  #read(object: StorageObject, decode: Decode, select = (whole: Release): unknown => whole): Read<unknown> {
    try {
      return { isReadable: true, release: select(readObject(object, this.driver, decode)) };
    } catch (error) {
      // Nothing here queries the cluster, so these errors mean nesting that is too deep or fields of another type.
      if (!(error instanceof MalformedRelease || error instanceof RangeError || error instanceof TypeError))
        throw error;
      const record: RecordProblem =
        error instanceof MalformedRelease ? error.problem : { problem: 'unreadable', why: error.message };
      return { isReadable: false, unreadable: unreadableOf(object, record) };
    }
  }

  #objectFor(release: Release, stamp: 'createdAt' | 'modifiedAt') {
    const isSecret = this.driver === 'secret';
    const text = encodeRelease(release);
    return {
      apiVersion: 'v1',
      kind: this.#type.kind,
      metadata: {
        name: objectName(release),
        namespace: release.namespace,
        labels: {
          ...release.labels,
          [stamp]: String(Math.floor(this.#clock.now() / 1000)),
          name: release.name,
          owner: 'helm',
          status: release.info.status,
          version: String(release.version),
        },
      },
      ...(isSecret ? { type: 'helm.sh/release.v1' } : {}),
      data: { release: isSecret ? Buffer.from(text, 'latin1').toString('base64') : text },
    };
  }
}

type Read<Result> =
  | { readonly isReadable: true; readonly release: Result }
  | { readonly isReadable: false; readonly unreadable: UnreadableRelease };

function unreadableOf(object: StorageObject, record: RecordProblem): UnreadableRelease {
  const { name, namespace = '', labels = {} } = object.metadata;
  const version = revisionOf(object);
  return { name, namespace, release: labels.name, version: version > 0 ? version : undefined, record };
}

/** @throws MalformedRelease */
function readObject(object: StorageObject, driver: ReleaseStorage['driver'], decode: Decode): Release {
  const { labels = {}, name, namespace = '' } = object.metadata;
  const held = object.data?.release;
  if (held === undefined) throw new MalformedRelease({ problem: 'absent' });
  const own = Object.fromEntries(Object.entries(labels).filter(([key]) => !OWN_LABELS.has(key)));
  const text = driver === 'secret' ? Buffer.from(held, 'base64').toString('latin1') : held;
  const release = decode(text, own);
  if (name !== objectName(release))
    throw new MalformedRelease({ problem: 'misplaced', name: objectName(release) });
  // As in Helm, the namespace of the object wins over that in its text: a copied object belongs to its new namespace.
  return { ...release, namespace };
}

/** Returns only the listed fields, so that only one whole release at a time is in memory. */
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

/** Validates a field of the chart's metadata. */
function shownText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || value.length > MAX_SHOWN)
    throw new MalformedRelease({ problem: 'chart-unnamed' });
  return value;
}

/** Returns the revision from the driver's label; 0 if it is not a number. */
function revisionOf({ metadata }: StorageObject): number {
  return Number(metadata.labels?.version) || 0;
}

/** Returns the name of the object that holds a revision. */
export function objectName({ name, version }: Release): string {
  return `sh.helm.release.v1.${name}.v${version}`;
}

function checkSize(release: Release, bytes: number, limitBytes: number): void {
  if (bytes <= limitBytes) return;
  const files = [...release.chart.files, ...release.chart.templates];
  const [largest] = [...files].sort((a, b) => b.data.length - a.data.length);
  throw helmFailure('release-too-large', {
    release: release.name,
    bytes,
    limitBytes,
    largest: largest && { name: largest.name, bytes: largest.data.length },
  });
}
