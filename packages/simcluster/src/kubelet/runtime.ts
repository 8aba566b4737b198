import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** What names one run of one container, and where its log file lies. */
export interface RunIdentity {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
  /** Number of runs of this container before this one: the file is `<restartCount>.log`. */
  readonly restartCount: number;
}

/** A run as the runtime knows it; read it again after each act, it does not change itself. */
export interface ContainerRun extends RunIdentity {
  /** `containerd://` and 64 hexadecimal digits; the same for the same seed and identity. */
  readonly containerId: string;
  readonly startedAt: Timestamp;
  readonly exit: { readonly code: number; readonly finishedAt: Timestamp } | undefined;
  /** Path of the newest log file on this machine. */
  readonly logFile: string;
}

export type StreamName = 'stdout' | 'stderr';

/** Bytes that a process writes, in pieces of any size: the runtime cuts them into entries. */
export interface ProcessOutput {
  readonly bytes: Uint8Array;
  /** stdout when left out. */
  readonly stream?: StreamName;
  /** When the runtime reads them; the clock's time when left out. */
  readonly at?: Timestamp;
}

/** One entry as in the file: no newline in `bytes`; `partial` is the tag P. */
export interface LogEntry extends ProcessOutput {
  readonly partial?: boolean;
}

export type KubeletState = 'up' | 'starting' | 'down';
export type RuntimeState = 'up' | 'settling' | 'down';

/** One node's kubelet and container runtime. */
export interface NodeState {
  readonly kubelet: KubeletState;
  readonly runtime: RuntimeState;
  /** Minutes east of UTC: the zone of the timestamps in the files. */
  readonly zoneMinutes: number;
}

/**
 * The simulated containerd of all nodes together with the kubelet's care for log files: it starts and ends runs, cuts
 * their output into CRI entries, writes the files, rotates them and removes old ones. Calls act at once; a reader
 * through the node agent sees every entry that was written before it asks. Unknown container IDs throw.
 */
export interface ContainerRuntime {
  /** Begins a run with an empty log file. The run before it must have ended; it stays as the previous one. */
  startRun(identity: RunIdentity, at?: Timestamp): ContainerRun;
  /**
   * Bytes of the process. An unterminated line is held back until its newline, until 16 KiB or until the exit; the
   * CR of CRLF is dropped. False when nothing was taken: the runtime is down and the pipe (64 KiB) is full, so the
   * process blocks until the runtime is back.
   */
  write(containerId: string, output: ProcessOutput): boolean;
  /**
   * Writes one entry unchanged, for an ended run too (its log can be filled in afterwards). Returns its
   * timestamp.
   */
  append(containerId: string, entry: LogEntry): Timestamp;
  /** Many outputs, with back-pressure towards the source, yielding to other work now and then. */
  backfill(
    containerId: string,
    outputs: Iterable<ProcessOutput> | AsyncIterable<ProcessOutput>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Ends the run: held-back bytes become the last entry; the run before this one is removed from the node. */
  exit(containerId: string, code: number, at?: Timestamp): ContainerRun;
  /**
   * Rotates now, whatever the size. `lostEntries`: that many later entries still go to the old file, if no reader
   * and no follow finds them (what happens to a fast writer); the option of the runtime when left out.
   */
  rotate(containerId: string, lostEntries?: number): void;
  /** Takes a run and its files from the node, as garbage collection does; its log then answers with a text error. */
  removeRun(containerId: string): void;
  /** Ends what still runs of a pod (code 137) and takes all its runs and its folder from the node. */
  removePod(podUid: string): void;
  /** Deletes the newest log file without the runtime's knowledge. Further entries go to the deleted file. */
  deleteLogFile(containerId: string): void;

  run(containerId: string): ContainerRun | undefined;
  /** Runs of a container that the node still has, the oldest first. */
  runs(podUid: string, container: string): readonly ContainerRun[];

  node(name: string): NodeState;
  setTimeZone(node: string, zoneMinutes: number): void;
  /** The kubelet stops: follows end cleanly, requests get 500. Containers keep running. */
  kubeletDown(node: string): void;
  /** The kubelet comes back; for `startingMs` (2 s when left out) it answers 404 for pods that exist. */
  kubeletUp(node: string, startingMs?: number): void;
  /** The runtime stops: output waits in the pipes. */
  runtimeDown(node: string): void;
  /** It comes back: what waited is stamped now; for `settlingMs` (1 s) it does not know its containers. */
  runtimeUp(node: string, settlingMs?: number): void;
  /** Kubelet and runtime stop, every run on the node ends with 137 without its last words, and nothing is served. */
  nodeDown(node: string): void;
  nodeUp(node: string): void;

  /** Resolves when everything is in the files and older rotated files are compressed. */
  idle(): Promise<void>;
  /** Closes files and timers. The files stay. */
  close(): Promise<void>;
}
