/** The console: the logs of some workloads as one timeline. */
export function Console() {
  return <main>The console is being built.</main>;
}
