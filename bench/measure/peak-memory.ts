import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { processUse } from './process-file.ts';

/*
 * Peak memory is the most that was resident at once, as the kernel counts it. GNU time prints it (ru_maxrss
 * of the program that it starts); without it, Linux reports it for a running process (VmHWM), and other
 * systems do not.
 */
const TIME = '/usr/bin/time';
const SAMPLE_MS = 3;
export type PeakSource = 'time' | 'proc' | 'nobody';
let known: Promise<PeakSource> | undefined;

export function peakSource(): Promise<PeakSource> {
  known ??= new Promise((resolve) => {
    // What BSD calls time knows no format.
    execFile(TIME, ['-f', '%M', 'true'], async (error) => {
      const hasProc = (await processUse(process.pid)) !== undefined;
      resolve(error === null ? 'time' : hasProc ? 'proc' : 'nobody');
    });
  });
  return known;
}

/** Measures the first program that a shell starts. */
export interface PeakMeter {
  /** Words before its command. */
  readonly command: readonly string[];
  /** Called with the shell's process, once it runs. */
  watch(shellPid: number): void;
  /** Bytes, once the shell has ended; undefined if unknown. */
  read(): Promise<number | undefined>;
}

/** A meter for one run; the file is its own until it is read. */
export async function peakMeter(file: string): Promise<PeakMeter> {
  const source = await peakSource();
  if (source !== 'time') return procMeter(source === 'proc');
  return {
    command: [TIME, '-q', '-f', '%M', '-o', file],
    watch() {},

    async read() {
      const text = await readFile(file, 'utf8');
      await rm(file);
      return Number(text) * 1024;
    },
  };
}

/** Looks so often that little can be missed: the figure of a process only grows. */
function procMeter(exists: boolean): PeakMeter {
  let peak: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    command: [],
    watch(shellPid) {
      if (!exists) return;
      timer = setInterval(async () => {
        const children = await readFile(`/proc/${shellPid}/task/${shellPid}/children`, 'utf8').catch(
          () => '',
        );
        const use = await processUse(Number(children.split(' ')[0] || Number.NaN));
        if (use !== undefined) peak = Math.max(peak ?? 0, use.peakBytes);
      }, SAMPLE_MS);
    },

    async read() {
      clearInterval(timer);
      return peak;
    },
  };
}
