/** Counts the process's open handles: sockets, file watches, child processes. */
export function openHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCP|Pipe|FSEvent|Process/.test(kind)).length;
}

/** Waits until their number is stable: the other end of a socket notices a close later. */
export async function handlesSettled(): Promise<void> {
  for (let last = openHandles(), same = 0; same < 20; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = openHandles();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}
