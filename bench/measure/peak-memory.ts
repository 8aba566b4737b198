import { execFile } from 'node:child_process';

/*
 * Peak memory is the kernel's own figure of the most that was resident (ru_maxrss), which GNU time prints. A program
 * that starts another one adds nothing: the larger of the two counts.
 */
const TIME = '/usr/bin/time';
let known: Promise<boolean> | undefined;

/** Whether this machine has GNU time; what BSD calls time knows no format. */
export function isPeakMeasured(): Promise<boolean> {
  known ??= new Promise((resolve) => {
    execFile(TIME, ['-f', '%M', 'true'], (error) => resolve(error === null));
  });
  return known;
}

/** Words before a command, so that its peak in KiB is in that file behind it. */
export async function peakWrapper(file: string): Promise<readonly string[]> {
  return (await isPeakMeasured()) ? [TIME, '-q', '-f', '%M', '-o', file] : [];
}
