import type { ChartMetadata } from '../chart/chart.ts';
import type { RecordProblem } from './record-problem.ts';
import type { Release } from './release.ts';

/** A storage object that is labeled as a release but is not readable as one. */
export interface UnreadableRelease {
  readonly name: string;
  readonly namespace: string;
  /** From its labels; undefined if they lack it. */
  readonly release: string | undefined;
  readonly version: number | undefined;
  readonly record: RecordProblem;
}

/** The listed fields of a release: the rest may take megabytes each. */
export type ListedRelease = Pick<Release, 'name' | 'namespace' | 'version'> & {
  readonly info: Pick<Release['info'], 'status' | 'lastDeployed'>;
  readonly chart: { readonly metadata: Pick<ChartMetadata, 'name' | 'version' | 'appVersion'> };
};

export interface ReleaseList {
  readonly releases: readonly ListedRelease[];
  readonly unreadable: readonly UnreadableRelease[];
}

export interface StorageOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The storage of release revisions: one object each, in the release's namespace
 * (https://helm.sh/docs/topics/advanced/#storage-backends). Every method rejects with a KubeError or a CodedError.
 */
export interface ReleaseStorage {
  /** `secret` or `configmap`. */
  readonly driver: 'secret' | 'configmap';
  /** Returns the revisions of one release, oldest first; empty if it has none. Throws for an unreadable one. */
  history(namespace: string, name: string, options?: StorageOptions): Promise<readonly Release[]>;
  /**
   * Returns the newest revision of every release in a namespace, or in all. If the newest is unreadable, it reports
   * that one and returns the previous revision.
   */
  list(namespace: string | undefined, options?: StorageOptions): Promise<ReleaseList>;
  /**
   * Returns when the cluster created the record, by its own clock, as written there (RFC 3339, seconds).
   * Throws CodedError `release-too-large` before it sends anything, `release-in-progress` if the revision exists.
   */
  create(release: Release, options?: StorageOptions): Promise<string | undefined>;
  update(release: Release, options?: StorageOptions): Promise<void>;
  delete(release: Release, options?: StorageOptions): Promise<void>;
  /** Throws CodedError `release-too-large` if the release would not fit. */
  checkSize(release: Release): void;
}
