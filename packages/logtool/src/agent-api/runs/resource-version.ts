/**
 * A version of the merged list: the time of a change, in ms since the epoch and never twice, and the process that made it.
 * As text it is one number, that grows with time.
 */
export interface Version {
  readonly atMs: number;
  readonly process: number;
}

/** As many processes have a number of their own. */
export const PROCESSES = 1_000_000;

export function versionText({ atMs, process }: Version): string {
  return String(BigInt(atMs) * BigInt(PROCESSES) + BigInt(process));
}

/** Undefined: it is no version. */
export function parseVersion(text: string): Version | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const number = BigInt(text);
  return { atMs: Number(number / BigInt(PROCESSES)), process: Number(number % BigInt(PROCESSES)) };
}
