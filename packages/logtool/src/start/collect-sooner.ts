/** What the program takes while it does little; collecting below it would gain nothing. */
const SMALL_BYTES = 72 * 2 ** 20;
/** Growth since the last collection that is worth another one. */
const STEP_BYTES = 8 * 2 ** 20;
const EVERY_MS = 50;

export interface Memory {
  /** Memory that the process takes now. */
  readonly residentBytes: () => number;
  readonly collect: () => void;
}

/**
 * Collects garbage whenever the process has grown by some megabytes. Bun lets garbage lie until it is a share
 * of the machine's memory: a log of 160 MB, which passes in small pieces, made the process half as large
 * again. Memory in use is not collected again and again: growth counts from the remainder.
 */
export function collectSooner({ residentBytes, collect }: Memory): NodeJS.Timeout {
  let left = 0;
  const check = () => {
    if (residentBytes() < Math.max(SMALL_BYTES, left) + STEP_BYTES) return;
    collect();
    left = residentBytes();
  };
  return setInterval(check, EVERY_MS).unref();
}
