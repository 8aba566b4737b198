/** Codes of errors that say that the cluster does not answer, whatever was asked. */
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'dns', 'no-answer', 'connection-lost']);

/** Whether an error means that the cluster does not answer: the request is fine. */
export function isClusterAway(code: string | undefined): boolean {
  return code !== undefined && AWAY.has(code);
}

/** Whether an error means that a request was not answered in time. */
export function isNoAnswer(code: string | undefined): boolean {
  return code === 'no-answer';
}
