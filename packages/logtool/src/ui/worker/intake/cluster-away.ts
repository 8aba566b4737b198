/** Codes of errors that say that the cluster does not answer, whatever was asked. */
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'dns', 'no-answer', 'connection-lost']);

/** Whether an error says that the cluster does not answer: nothing is wrong with what was asked. */
export function isClusterAway(code: string | undefined): boolean {
  return code !== undefined && AWAY.has(code);
}
