import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * The nice value of threads with long work: if both want the same processor, other threads get about nine tenths of it.
 */
const NICE = 10;

/**
 * Makes the calling thread wait for other threads and programs if there are more of them than processors. Only Linux
 * has a priority for each thread (https://man7.org/linux/man-pages/man2/setpriority.2.html, NOTES); elsewhere, and if
 * /proc is unreadable, this does nothing.
 */
export function letOthersGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(/\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1]);
    setPriority(thread, Math.max(getPriority(thread), NICE));
  } catch {
    // A sandbox may forbid it; the thread then works at normal priority.
  }
}
