import type { Readable } from 'node:stream';
import type { readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';

/** Standard output or standard error. */
export interface OutputStream {
  readonly isTTY: boolean;
  /** Width of the terminal; undefined if this is not a terminal. */
  readonly columns: number | undefined;
  /** Resolves when the stream can take more; callers await it for backpressure. */
  write(chunk: string | Uint8Array): Promise<void>;
}

/** Standard input, if it is a terminal. */
export interface Keyboard {
  readonly input: Readable;
  /** Height of the terminal, in lines; undefined if unknown. */
  readonly rows: () => number | undefined;
}

/** The part of the file system that commands use. */
export type FileSystem = Pick<
  typeof import('node:fs/promises'),
  'writeFile' | 'mkdir' | 'link' | 'rename' | 'rm'
> & {
  /** Reads a file with limits on size and time, whatever the path leads to. Throws FileUnreadable. */
  readonly readSmallFile: typeof readSmallFile;
};

/** Everything a command knows of its environment, so that tests need no process. */
export interface CliContext {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Opens the keyboard; undefined if standard input is not a terminal. */
  readonly keyboard: (() => Keyboard) | undefined;
  readonly workingDirectory: string;
  readonly homeDirectory: string;
  readonly clock: Clock;
  readonly files: FileSystem;
  /** Aborted with a Stop (exit-codes.ts) by SIGINT, SIGHUP, SIGTERM or a closed standard output. */
  readonly signal: AbortSignal;
  readonly version: string;
  /** The user's command to run the program: `logtool`, or `kubectl logtool`. */
  readonly program: string;
  /** Finds a file or folder that ships with the program, by its path in the package; undefined if missing. */
  readonly packageFile: (path: string) => string | undefined;
}
