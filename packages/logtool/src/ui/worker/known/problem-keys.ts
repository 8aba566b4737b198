/** Key of the problem that the stream reported of a container (LogSource.id). */
export function streamProblem(id: string): string {
  return `source ${id}`;
}

/** Key of the problem that pages reported of a container (LogSource.id). */
export function pageProblem(id: string): string {
  return `page ${id}`;
}
