import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** Identifies one run of one container, and the location of its log file. */
export interface RunIdentity {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
  /** Number of earlier runs of this container: the file is `<restartCount>.log`. */
  readonly restartCount: number;
}

/** A run's state in the runtime; read it again after each action, because it does not update itself. */
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
  /** Default: stdout. */
  readonly stream?: StreamName;
  /** When the runtime reads them; default: the clock's time. */
  readonly at?: Timestamp;
}

/** One entry as in the file: `bytes` has no newline; `partial` means tag P. */
export interface LogEntry extends ProcessOutput {
  readonly partial?: boolean;
}

export type KubeletState = 'up' | 'starting' | 'down';
export type RuntimeState = 'up' | 'settling' | 'down';

/** One node's kubelet and container runtime. */
export interface NodeState {
  readonly kubelet: KubeletState;
  readonly runtime: RuntimeState;
  /** Minutes east of UTC: the zone of timestamps in the files. */
  readonly zoneMinutes: number;
}

/**
 * The simulated containerd of all nodes, including the kubelet's management of log files: it starts and ends runs, cuts
 * their output into CRI entries, writes the files, rotates them and removes old ones. Calls take effect immediately; a
 * reader through the node agent sees every entry written before its request. Unknown container IDs throw.
 */
export interface ContainerRuntime {
  /** Starts a run with an empty log file. The previous run must have ended; the node keeps it. */
  startRun(identity: RunIdentity, at?: Timestamp): ContainerRun;
  /**
   * Writes bytes of the process. Holds back an unterminated line until its newline, 16 KiB or the exit; drops the CR of
   * CRLF. Returns false if it took nothing: the runtime is down and the pipe (64 KiB) is full, so the process blocks
   * until the runtime is back.
   */
  write(containerId: string, output: ProcessOutput): boolean;
  /** Writes one entry unchanged, also for an ended run (to fill in its log afterwards). Returns its timestamp. */
  append(containerId: string, entry: LogEntry): Timestamp;
  /** Writes many outputs, with back-pressure on their source; yields to other work from time to time. */
  backfill(
    containerId: string,
    outputs: Iterable<ProcessOutput> | AsyncIterable<ProcessOutput>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Ends the run: held-back bytes become the last entry. Removes the previous run from the node. */
  exit(containerId: string, code: number, at?: Timestamp): ContainerRun;
  /**
   * Rotates now, whatever the size. The next `lostEntries` entries still go to the old file, where no reader and no
   * follow finds them (as happens to a fast writer); default: the runtime's option.
   */
  rotate(containerId: string, lostEntries?: number): void;
  /**
   * Removes a run and its files from the node, as garbage collection does; a request for its log then gets a text
   * error.
   */
  removeRun(containerId: string): void;
  /** Ends the running containers of a pod (code 137) and removes all its runs and its folder from the node. */
  removePod(podUid: string): void;
  /** Deletes the newest log file without the runtime's knowledge. Further entries go to the deleted file. */
  deleteLogFile(containerId: string): void;

  run(containerId: string): ContainerRun | undefined;
  /** Returns the runs of a container that the node still has, oldest first. */
  runs(podUid: string, container: string): readonly ContainerRun[];

  node(name: string): NodeState;
  setTimeZone(node: string, zoneMinutes: number): void;
  /** Makes the kubelet refuse the files of /var/log (enableSystemLogHandler: false). */
  disableLogHandler(node: string): void;
  /** Stops the kubelet: follows end cleanly, requests get 500. Containers keep running. */
  kubeletDown(node: string): void;
  /** Restarts the kubelet; for `startingMs` (default 2 s) it returns 404 for existing pods. */
  kubeletUp(node: string, startingMs?: number): void;
  /** Stops the runtime: output waits in the pipes. */
  runtimeDown(node: string): void;
  /**
   * Restarts the runtime: stamps waiting output with the current time; for `settlingMs` (1 s) it does not know its
   * containers.
   */
  runtimeUp(node: string, settlingMs?: number): void;
  /** Stops kubelet and runtime: every run on the node ends with 137 without its last output, and nothing is served. */
  nodeDown(node: string): void;
  nodeUp(node: string): void;

  /** Resolves when everything is in the files and older rotated files are compressed. */
  idle(): Promise<void>;
  /** Closes files and timers. The files stay. */
  close(): Promise<void>;
}
