import type { Clock } from '../domain/clock.ts';
import type { Store } from './store.ts';

export interface SimClusterOptions {
  /** Path of a scenario file, or the scenario itself (an object of the published schema). */
  readonly scenario: string | unknown;
  /** Drives controllers, kubelets, log generators and the timeline; the machine's clock when left out. */
  readonly clock?: Clock;
  /** Seed of every random choice; the scenario's own when left out. */
  readonly seed?: number;
  /** Where kubeconfigs, certificates and log files go; a temporary folder, removed by close(), when left out. */
  readonly directory?: string;
  /** Port of the API server; a free one when left out. */
  readonly port?: number;
}

/** A fault, by scenario or by the control endpoint: see simcluster/faults. */
export interface Fault {
  readonly kind:
    | 'reset'
    | 'clean-end'
    | 'stall'
    | 'delay'
    | 'status'
    | 'drop-watch'
    | 'expire-watch'
    | 'truncate-json'
    | 'split';
  /** Regular expression on `METHOD path?query`; every request when left out. */
  readonly match?: string;
  /** How many matching requests it hits; without end when left out. */
  readonly times?: number;
  /** Matching requests that pass unharmed first. */
  readonly skip?: number;
  /** For reset, clean-end, stall, truncate-json: body bytes that pass first. */
  readonly afterBytes?: number;
  /** For stall and delay. */
  readonly delayMs?: number;
  /** For status: 401, 403, 404, 410, 429, 500, 503, or 200 with `text` as the body. */
  readonly status?: number;
  readonly text?: string;
  readonly retryAfterSeconds?: number;
  /** For split: chunks of that many bytes. */
  readonly chunkBytes?: number;
}

export interface SimCluster {
  /** https://127.0.0.1:PORT */
  readonly server: string;
  /** Path of the kubeconfig: a context per user of the scenario; the current one is the administrator. */
  readonly kubeconfig: string;
  readonly store: Store;
  /** Folder in the layout of /var/log/pods, one per node below it. */
  readonly logDirectory: string;
  inject(fault: Fault): void;
  clearFaults(): void;
  /** Number of faults that have hit a request since the start. */
  readonly faultsHit: number;
  /** Requests seen since the start, `METHOD path?query`, newest last, at most the last 10,000. */
  readonly requests: readonly string[];
  /**
   * Appends one entry to the log of a running container (as its runtime would): the CRI file is the only place where
   * it goes. Without `at` the clock's time is used.
   */
  writeLog(
    where: { readonly namespace: string; readonly pod: string; readonly container: string },
    entry: {
      readonly bytes: Uint8Array;
      readonly stream?: 'stdout' | 'stderr';
      readonly at?: string;
      readonly partial?: boolean;
    },
  ): Promise<void>;
  /** Pod life, as the timeline of a scenario would play it. */
  act(event: unknown): Promise<void>;
  /** Stops listening (and comes back with the same port, keys and data), as a restart of the API server. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  close(): Promise<void>;
}
