import type { RepositoryEntry } from './entry.ts';
import type { IndexEntry, SkippedVersion } from './read-index.ts';

export interface AddRequest {
  readonly name: string;
  /** An http:// or https:// address. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /**
   * PEM of the authority that signed the server's certificate, instead of the machine's authorities; an absolute path.
   */
  readonly caFile?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Replace a different repository of the same name. */
  readonly force?: boolean | undefined;
}

export interface AddResult {
  /** `unchanged`: the same configuration existed; its index is downloaded only if missing. */
  readonly outcome: 'added' | 'replaced' | 'unchanged';
  readonly notices: readonly SkippedVersion[];
}

export interface UpdateResult {
  readonly name: string;
  readonly url: string;
  /** The skipped entries of the index, with reasons. */
  readonly notices: readonly SkippedVersion[];
}

/** A chart version and its repository. */
export interface ChartVersion extends IndexEntry {
  readonly repository: string;
}

/** The chart repositories of the current user, the same that Helm sees. All methods throw CodedError. */
export interface Repositories {
  /** The path of repositories.yaml, for messages. */
  readonly path: string;
  /** Downloads the index and then records the repository: writes nothing if the repository is unreachable. */
  add(request: AddRequest): Promise<AddResult>;
  /** Downloads the index of one repository or of all; a failure does not prevent the other updates. */
  update(name?: string): Promise<readonly UpdateResult[]>;
  /** Throws `repository-unknown` if no repository has the name. */
  remove(name: string): Promise<void>;
  list(): Promise<readonly RepositoryEntry[]>;
  /** Returns the newest matching version in the last downloaded index; throws `repository-not-updated` without one. */
  find(repositoryName: string, chartName: string, versionRange?: string): Promise<ChartVersion>;
  /** Returns the archive, at most 20 MiB; its digest matches the index. */
  download(chartVersion: ChartVersion): Promise<Uint8Array>;
}
