import type { ChildProcess } from 'node:child_process';

/** Resolves to the first group of a pattern once a process has printed it. Rejects if it ends before that. */
export function printedMatch(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  pattern: RegExp,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child[stream]?.on('data', (chunk: Buffer) => {
      text += chunk;
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${text} (is dist/ built?)`)),
    );
  });
}

/** Ends a process, and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill(signal);
  await closed;
}
