import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { EntryClock } from './entry-clock.ts';
import { cutOutput, emptyHeldLine, endOutput } from './output-lines.ts';
import type { RunLog } from './run-log.ts';
import type { LogEntry, ProcessOutput, RunIdentity, StreamName } from './runtime.ts';

/** How much a Linux pipe holds before its writer blocks. */
const PIPE_BYTES = 64 * 1024;

export interface ProcessRunOptions {
  readonly identity: RunIdentity;
  readonly containerId: string;
  readonly startedAt: Timestamp;
  readonly log: RunLog;
  readonly times: EntryClock;
  readonly isRuntimeDown: () => boolean;
}

/** One run of one container: the two streams of its process, and their log. */
export class ProcessRun {
  readonly identity: RunIdentity;
  readonly containerId: string;
  readonly startedAt: Timestamp;
  readonly log: RunLog;
  exit: { readonly code: number; readonly finishedAt: Timestamp } | undefined;
  readonly #options: ProcessRunOptions;
  readonly #held = { stdout: emptyHeldLine(), stderr: emptyHeldLine() };
  #pipe: { readonly stream: StreamName; readonly bytes: Uint8Array }[] = [];
  #piped = { stdout: 0, stderr: 0 };

  constructor(options: ProcessRunOptions) {
    this.identity = options.identity;
    this.containerId = options.containerId;
    this.startedAt = options.startedAt;
    this.log = options.log;
    this.#options = options;
  }

  /** Returns false if the pipe is full; see ContainerRuntime.write. */
  write(output: ProcessOutput): boolean {
    if (this.exit !== undefined) throw new Error(`${this.containerId} has ended and writes no more`);
    const stream = output.stream ?? 'stdout';
    if (!this.#options.isRuntimeDown()) {
      this.#cut(stream, output.bytes, output.at);
      return true;
    }
    if (this.#piped[stream] > 0 && this.#piped[stream] + output.bytes.length > PIPE_BYTES) return false;
    this.#pipe.push({ stream, bytes: Uint8Array.from(output.bytes) });
    this.#piped[stream] += output.bytes.length;
    return true;
  }

  append(entry: LogEntry): Timestamp {
    const at = entry.at ?? this.#options.times.now();
    this.log.append(at, entry.stream ?? 'stdout', entry.partial ?? false, entry.bytes);
    return at;
  }

  /** Reads what waits in the pipes once the runtime is back, and stamps it with that time. */
  drain(): void {
    const waiting = this.#pipe;
    this.#pipe = [];
    this.#piped = { stdout: 0, stderr: 0 };
    for (const { stream, bytes } of waiting) this.#cut(stream, bytes, undefined);
    if (this.exit !== undefined) this.#end(undefined);
  }

  /** Ends the process. While the runtime is down, its last output waits in the pipes. */
  finish(code: number, finishedAt: Timestamp, at: Timestamp | undefined): void {
    this.exit = { code, finishedAt };
    if (!this.#options.isRuntimeDown()) this.#end(at);
  }

  /** Ends the run when the node dies: anything not yet in the file is lost. */
  abort(finishedAt: Timestamp): void {
    this.exit ??= { code: 137, finishedAt };
    this.#pipe = [];
    this.log.end();
  }

  #end(at: Timestamp | undefined): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      endOutput(this.#held[stream], (message, partial) => {
        this.log.append(at ?? this.#options.times.now(), stream, partial, message);
      });
    }
    this.log.end();
  }

  /** Gives the first entry the given time, and later ones from the same bytes slightly later times. */
  #cut(stream: StreamName, bytes: Uint8Array, at: Timestamp | undefined): void {
    const { times } = this.#options;
    let stamp: Timestamp | undefined;
    cutOutput(this.#held[stream], bytes, (message, partial) => {
      if (at === undefined) stamp = times.now();
      else stamp = stamp === undefined ? at : times.after(stamp);
      this.log.append(stamp, stream, partial, message);
    });
  }
}
