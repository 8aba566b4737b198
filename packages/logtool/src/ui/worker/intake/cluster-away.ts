/** Error codes that mean that the cluster does not answer any request. */
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'dns', 'no-answer', 'connection-lost']);

/** Whether an error means that the cluster does not answer, so that the request itself is fine. */
export function isClusterAway(code: string | undefined): boolean {
  return code !== undefined && AWAY.has(code);
}

/** Whether an error means that a request timed out. */
export function isNoAnswer(code: string | undefined): boolean {
  return code === 'no-answer';
}
