import type { RepositoryEntry } from './entry.ts';
import type { IndexEntry, SkippedVersion } from './read-index.ts';

export interface AddRequest {
  readonly name: string;
  /** http:// or https://. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /**
   * PEM of the authority that signed the server's certificate, instead of the machine's; an absolute path.
   */
  readonly caFile?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Takes the place of a repository of the same name that is another one. */
  readonly force?: boolean | undefined;
}

export interface AddResult {
  /** `unchanged`: it was there with just this configuration; its index is loaded only if it is missing. */
  readonly outcome: 'added' | 'replaced' | 'unchanged';
  readonly notices: readonly SkippedVersion[];
}

export interface UpdateResult {
  readonly name: string;
  readonly url: string;
  /** Entries of the index that were left out, and why. */
  readonly notices: readonly SkippedVersion[];
}

/** A version of a chart and the repository in which it was found. */
export interface ChartVersion extends IndexEntry {
  readonly repository: string;
}

/** The chart repositories of this machine's user, the same that Helm sees. All methods throw CodedError. */
export interface Repositories {
  /** repositories.yaml, for messages. */
  readonly path: string;
  /** Loads its index and then writes the repository down: nothing is written if it cannot be reached. */
  add(request: AddRequest): Promise<AddResult>;
  /** Loads the index of one repository or of all; those that can be are updated, also when others fail. */
  update(name?: string): Promise<readonly UpdateResult[]>;
  /** Throws `repository-unknown` if there is none of the name. */
  remove(name: string): Promise<void>;
  list(): Promise<readonly RepositoryEntry[]>;
  /**
   * The newest fitting version in the index as last downloaded; throws `repository-not-updated` without one.
   */
  find(repositoryName: string, chartName: string, versionRange?: string): Promise<ChartVersion>;
  /** The archive, at most 20 MiB, with the digest that the index gives. */
  download(chartVersion: ChartVersion): Promise<Uint8Array>;
}
