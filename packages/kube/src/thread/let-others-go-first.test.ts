import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test.skipIf(process.platform !== 'linux')(
  'a thread yields to the threads beside it, and no other does',
  async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { letOthersGoFirst } from './let-others-go-first.ts';
        import { readlinkSync } from 'node:fs';
        import { parentPort } from 'node:worker_threads';
        letOthersGoFirst();
        parentPort.postMessage(readlinkSync('/proc/thread-self'));
        parentPort.once('message', () => parentPort.close());`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
    });
    const before = getPriority();
    const thread = new Worker(outputFiles[0]?.text ?? '', { eval: true });
    const path = await new Promise<string>((resolve, reject) =>
      thread.once('message', resolve).once('error', reject),
    );
    // The 19th value of the line is the nice value (proc_pid_stat(5)). The second may contain blanks and ends with ")".
    const stat = readFileSync(`/proc/${path}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    await thread.terminate();
    expect(Number(stat[16])).toBe(Math.max(before, 10));
    expect(getPriority()).toBe(before);
  },
);
