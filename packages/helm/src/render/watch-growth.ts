/** Between two measurements of the process's memory. */
const EVERY_MS = 50;
const BYTES_PER_MIB = 2 ** 20;

/**
 * Calls back once when the process has grown by more than `growthMiB` since the call; the returned function ends it.
 * Keeps no process alive.
 */
export function watchGrowth(
  growthMiB: number,
  onTooMuch: () => void,
  residentBytes: () => number = process.memoryUsage.rss,
): () => void {
  const limitBytes = residentBytes() + growthMiB * BYTES_PER_MIB;
  const timer = setInterval(() => {
    if (residentBytes() <= limitBytes) return;
    clearInterval(timer);
    onTooMuch();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
