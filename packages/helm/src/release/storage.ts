import type { ChartMetadata } from '../chart/chart.ts';
import type { RecordProblem } from './record-problem.ts';
import type { Release } from './release.ts';

/** A storage object that says it is a release and cannot be read as one. */
export interface UnreadableRelease {
  readonly name: string;
  readonly namespace: string;
  /** What its labels say; undefined if they say nothing of the kind. */
  readonly release: string | undefined;
  readonly version: number | undefined;
  readonly record: RecordProblem;
}

/** What a list shows of a release: the rest may take up megabytes each. */
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
 * Where revisions of releases are kept: one object of the cluster each, in the release's namespace
 * (https://helm.sh/docs/topics/advanced/#storage-backends). Every method rejects with a KubeError or a CodedError.
 */
export interface ReleaseStorage {
  /** `secret` or `configmap`. */
  readonly driver: 'secret' | 'configmap';
  /** Revisions of one release, oldest first; empty if there is none. Throws for one that cannot be read. */
  history(namespace: string, name: string, options?: StorageOptions): Promise<readonly Release[]>;
  /**
   * The newest revision of every release of a namespace, or of all. If the newest cannot be read, it is named, and
   * the one before it given.
   */
  list(namespace: string | undefined, options?: StorageOptions): Promise<ReleaseList>;
  /**
   * Gives the time at which the cluster made the record, by its own clock, as it writes it (RFC 3339, seconds).
   * Throws CodedError `release-too-large` before anything is sent, `release-in-progress` if the revision exists.
   */
  create(release: Release, options?: StorageOptions): Promise<string | undefined>;
  update(release: Release, options?: StorageOptions): Promise<void>;
  delete(release: Release, options?: StorageOptions): Promise<void>;
  /** Throws CodedError `release-too-large` where the release would not fit. */
  checkSize(release: Release): void;
}
