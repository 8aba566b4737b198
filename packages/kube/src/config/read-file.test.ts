import { execFile } from 'node:child_process';
import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folder } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { FakeClock } from '../values/clock.ts';
import { readSmallFile } from './read-file.ts';

async function pipe(): Promise<string> {
  const path = join(await folder(), 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  return path;
}

/** Advances the clock until the work is over. */
async function passTime<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.pending > 0) await clock.advance(20);
  }
  return work;
}

test('a device without an end, and a file of a gigabyte, are too large', async () => {
  const huge = join(await folder(), 'huge');
  await writeFile(huge, '');
  await truncate(huge, 1024 ** 3);
  for (const path of ['/dev/zero', huge])
    await expect(readSmallFile(path)).rejects.toMatchObject({
      code: 'EFBIG',
      problem: { code: 'file-too-large', data: { limitMib: 10 } },
    });
});

test('a directory is none', async () => {
  await expect(readSmallFile(await folder())).rejects.toMatchObject({
    problem: { code: 'file-is-folder', data: {} },
  });
});

test('a device that ends at once is empty', async () => {
  expect(await readSmallFile('/dev/null')).toHaveLength(0);
});

test('gives up a pipe without a writer after five seconds', async () => {
  const clock = new FakeClock();
  const before = clock.now();
  await expect(passTime(clock, readSmallFile(await pipe(), 1000, clock))).rejects.toMatchObject({
    code: 'ENODATA',
    problem: { code: 'silent-pipe', data: {} },
  });
  expect(clock.now() - before).toBe(5_000);
});

test('a pipe is read to its end, however late somebody comes and however slowly it is written', async () => {
  const path = await pipe();
  const clock = new FakeClock();
  const reading = readSmallFile(path, 1000, clock);
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  const writer = await open(path, 'w');
  // Keeps the pipe open for longer than the limit for a pipe without a writer.
  for (let turn = 0; turn < 400; turn++) {
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(20);
  }
  await writer.write('apiVersion: ');
  await writer.write('v1');
  await writer.close();
  expect((await passTime(clock, reading)).toString()).toBe('apiVersion: v1');
});

test('a pipe that is written to without end is too large', async () => {
  const path = await pipe();
  const clock = new FakeClock();
  const reading = readSmallFile(path, 100_000, clock);
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  const writer = await open(path, 'w');
  await writer.write(Buffer.alloc(60_000));
  const writing = writer.write(Buffer.alloc(60_000));
  await expect(passTime(clock, reading)).rejects.toMatchObject({ code: 'EFBIG' });
  await writing.catch((error: unknown) => expect(error).toMatchObject({ code: 'EPIPE' }));
  await writer.close();
});
