const SPIN_MS = 1_000;

/**
 * Returns how much longer a program takes now than on an idle machine: the wall time of a counting program, divided by
 * its CPU time.
 */
export function busyness(): number {
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  let sum = 0;
  while (performance.now() - startMs < SPIN_MS) for (let step = 0; step < 10_000; step++) sum += step;
  const { user, system } = process.cpuUsage(cpu);
  if (!Number.isFinite(sum)) throw new Error('it did not count');
  return ((performance.now() - startMs) * 1000) / (user + system);
}
