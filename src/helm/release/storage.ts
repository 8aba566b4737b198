import type { Release } from './release.ts';

/** A storage object that says it is a release and cannot be read as one. */
export interface UnreadableRelease {
  readonly name: string;
  readonly namespace: string;
  readonly why: string;
}

export interface ReleaseList {
  readonly releases: readonly Release[];
  readonly unreadable: readonly UnreadableRelease[];
}

export interface StorageOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where revisions of releases are kept: one object of the cluster each, in the release's namespace
 * (https://helm.sh/docs/topics/advanced/#storage-backends). Every method rejects with a KubeError or a LogtoolError.
 */
export interface ReleaseStorage {
  /** `secret` or `configmap`. */
  readonly driver: 'secret' | 'configmap';
  /** Revisions of one release, oldest first; empty where there is none. Throws for one that cannot be read. */
  history(namespace: string, name: string, options?: StorageOptions): Promise<readonly Release[]>;
  /**
   * The newest revision of every release of a namespace, or of all. Where the newest cannot be read, it is named, and
   * the one before it given.
   */
  list(namespace: string | undefined, options?: StorageOptions): Promise<ReleaseList>;
  /**
   * Gives the time at which the cluster made the record, by its own clock, as it writes it (RFC 3339, seconds).
   * Throws LogtoolError `release-too-large` before anything is sent, `release-in-progress` where the revision exists.
   */
  create(release: Release, options?: StorageOptions): Promise<string | undefined>;
  update(release: Release, options?: StorageOptions): Promise<void>;
  delete(release: Release, options?: StorageOptions): Promise<void>;
  /** Throws LogtoolError `release-too-large` where the release would not fit. */
  checkSize(release: Release): void;
}
