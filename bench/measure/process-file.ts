import { readFile } from 'node:fs/promises';

/** The resources that a process has used so far, from Linux's /proc. */
export interface ProcessUse {
  readonly residentBytes: number;
  /** The maximum resident memory. */
  readonly peakBytes: number;
  readonly cpuMs: number;
}

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** Resolves to undefined if the process or /proc does not exist. */
export async function processUse(pid: number): Promise<ProcessUse | undefined> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    const bytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
    // Fields 14 and 15; the second, the program's name in parentheses, may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    // A zombie process has no memory.
    return status.includes('VmHWM')
      ? { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM'), cpuMs: ticks * MS_PER_TICK }
      : undefined;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
