import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { processUse } from './process-file.ts';

/*
 * Peak memory is the maximum resident memory, as the kernel counts it. GNU time prints it (ru_maxrss of the program
 * that it starts); without GNU time, Linux reports it for a running process (VmHWM), and other systems do not.
 */
const TIME = '/usr/bin/time';
const SAMPLE_MS = 3;
export type PeakSource = 'time' | 'proc' | 'nobody';
let known: Promise<PeakSource> | undefined;

export function peakSource(): Promise<PeakSource> {
  known ??= new Promise((resolve) => {
    // BSD's time has no format option.
    execFile(TIME, ['-f', '%M', 'true'], async (error) => {
      const hasProc = (await processUse(process.pid)) !== undefined;
      resolve(error === null ? 'time' : hasProc ? 'proc' : 'nobody');
    });
  });
  return known;
}

/** Measures the first program in a shell's pipeline. */
export interface PeakMeter {
  /** Arguments before its command. */
  readonly command: readonly string[];
  /** Called with the shell's process ID once it runs. */
  watch(shellPid: number): void;
  /** Resolves to bytes, once the shell has ended; undefined if unknown. */
  read(): Promise<number | undefined>;
}

/** Returns a meter for one run, which uses the file exclusively until `read`. */
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

/** Samples so often that it misses little: a process's peak only grows. */
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
