/** What of the process is open to the outside: sockets, watches of files, child processes. */
export function openHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCP|Pipe|FSEvent|Process/.test(kind)).length;
}

/** Until their number has not changed for a while: the other end of a socket notices later. */
export async function handlesSettled(): Promise<void> {
  for (let last = openHandles(), same = 0; same < 20; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = openHandles();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}
