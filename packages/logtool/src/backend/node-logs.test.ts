import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NodeUnderRead } from '../../../../test/support/backend/node-under-read.ts';
import type { ContainerTarget } from '../domain/container.ts';

const STAMP = '2026-11-21T10:00:00.500000000Z';
const entry = (text: string) => Buffer.from(`${STAMP} stdout F ${text}\n`);
const OLD = '0.log.20261121-100000';
const ROTATED = { [OLD]: entry('old'), '0.log': entry('new') };
/** What the log API has, and what the files have. */
const NEWEST = `${STAMP} new\n`;
const ALL = `${STAMP} old\n${NEWEST}`;

let node: NodeUnderRead;
beforeAll(async () => {
  node = await NodeUnderRead.start();
});
beforeEach(() => {
  node.fileRequests = 0;
  node.onFileRequest = () => {};
  node.app.fill(ROTATED);
});
afterAll(() => node.close());

const onNode = (name: string): ContainerTarget => ({ ...node.target, placement: { node: name } });

test('the run before the current one has its own files', async () => {
  node.app.fill({ ...ROTATED, '1.log': entry('new of 1'), '1.log.20261121-110000': entry('old of 1') });
  const target = { ...node.target, restartCount: 1, lastContainerId: 'containerd://before' };
  const reader = node.reader('all');
  const before = { target, containerId: target.lastContainerId };
  expect(await reader.read({ previous: true }, before)).toBe(ALL);
  expect(await reader.read({}, { target })).toBe(`${STAMP} old of 1\n${STAMP} new of 1\n`);
  expect(reader.queries).toEqual([]);
});

test('a run that has not begun is left to the log API', async () => {
  expect(await node.reader('all').read({}, { target: node.target, containerId: '' })).toBe(NEWEST);
  expect(node.fileRequests).toBe(0);
});

test('a follow is left to the log API', async () => {
  const reader = node.reader('all');
  const read = reader.read({ follow: true });
  await expect.poll(() => reader.queries).toMatchObject([{ follow: true }]);
  await expect.poll(() => node.cluster.control.cutLogs({ how: 'end' })).toEqual({ cut: 1 });
  expect(await read).toBe(NEWEST);
  expect(node.fileRequests).toBe(0);
});

test('a container without rotated files, or without a folder, is left to the log API', async () => {
  const unknown = { ...node.target, pod: 'unknown' };
  expect(await node.reader('all').read({}, { target: unknown })).toBe(NEWEST);
  node.app.fill({ '0.log': entry('new') });
  const reader = node.reader('all');
  expect(await reader.read()).toBe(NEWEST);
  expect(reader.queries).toHaveLength(1);
  expect(await node.reader('rotated').read()).toBe('');
});

test('the folder of a static pod has the hash of its definition in its name', async () => {
  // The API has another UID than the node's folder, and another pod's name begins like this one's.
  const target = { ...node.target, podUid: '7f0ab3de-64a6-4f8f-9f0c-5d1f2f2f9c11' };
  const folders = join(node.cluster.logDirectory, 'node-1');
  mkdirSync(join(folders, 'shop_web-2_77'));
  expect(await node.reader('all').read({}, { target })).toBe(ALL);
  // With two it is not certain which is the pod's.
  const another = join(folders, 'shop_web_0123456789abcdef');
  mkdirSync(another);
  expect(await node.reader('all').read({}, { target })).toBe(NEWEST);
  rmSync(another, { recursive: true });
});

test.each([
  ['forbidden', 'reader', 'node-1', { kind: 'forbidden', status: 403 }],
  ['disabled', 'admin', 'closed', { kind: 'http', status: 405 }],
] as const)(
  'a node whose files are %s is reported once, and not asked again',
  async (why, user, name, failure) => {
    const run = { target: onNode(name) };
    const reader = node.reader('all', user);
    expect([await reader.read({}, run), await reader.read({}, run)]).toEqual([NEWEST, NEWEST]);
    expect(reader.frames).toEqual([
      { type: 'notice', code: 'node-files-refused', data: { node: name, why } },
    ]);
    expect(node.fileRequests).toBe(1);
    await expect(node.reader('rotated', user).read({}, run)).rejects.toMatchObject(failure);
  },
);

test('a failure of the node is one of the read: it is not taken for a missing right', async () => {
  await node.cluster.act({ action: 'kubelet-down', node: 'closed' });
  const reader = node.reader('all');
  await expect(reader.read({}, { target: onNode('closed') })).rejects.toMatchObject({
    kind: 'server',
    status: 503,
  });
  expect(reader.frames).toEqual([]);
  await node.cluster.act({ action: 'kubelet-up', node: 'closed' });
});

test('a file that is removed before it is read is an error, although later files are there', async () => {
  const at = (second: number) => Buffer.from(`2026-11-21T10:00:0${second}Z stdout F ${second}\n`);
  node.app.fill({ [OLD]: at(0), '0.log': Buffer.alloc(0) });
  const next = ['0.log.20261121-100001', '0.log.20261121-100002'] as const;
  const rotate = (second: number, stamp: string) => () => {
    node.app.append('0.log', at(second));
    node.app.rotate('0.log', stamp);
  };
  // By then, the files are listed and the oldest is open; the newest was empty, so it has nothing to be recognized by.
  const happen: Readonly<Record<number, () => void>> = {
    3: rotate(1, '20261121-100001'),
    4: rotate(2, '20261121-100002'),
    5: () => node.app.remove(OLD),
    6: () => node.app.remove(next[0]),
  };
  node.onFileRequest = (number) => happen[number]?.();
  await expect(node.reader('all').read()).rejects.toMatchObject({ kind: 'not-found' });
  expect(node.app.names).toEqual(['0.log', next[1]]);
});

test('a damaged file is an error, and not the end of the log', async () => {
  node.app.write(OLD, entry('old '.repeat(50_000)));
  node.app.compress(OLD);
  const whole = node.app.read(`${OLD}.gz`);
  for (const damaged of [whole.subarray(0, whole.length - 20), Buffer.from('no gzip')]) {
    node.app.write(`${OLD}.gz`, damaged);
    await expect(node.reader('all').read()).rejects.toMatchObject({
      kind: 'protocol',
      problem: { code: 'bad-compression' },
    });
  }
});

test('files of another format are an error, and not an empty log', async () => {
  const line = Buffer.from('{"log":"text\\n","stream":"stdout","time":"2026-11-21T10:00:00Z"}\n');
  node.app.fill({ [OLD]: line, '0.log': line });
  await expect(node.reader('all').read()).rejects.toMatchObject({
    kind: 'protocol',
    problem: { code: 'no-log' },
  });
});

test('an entry without an end costs bounded memory', async () => {
  const endless = [entry('old'), Buffer.alloc(8 * 1024 * 1024, 'x'), Buffer.from('\n')];
  node.app.write(OLD, Buffer.concat(endless));
  expect(await node.reader('all').read()).toBe(ALL);
});

test('a listing without an end is an error', async () => {
  for (let file = 0; file < 2_400; file++) node.app.write(`${'x'.repeat(240)}-${file}`, Buffer.alloc(0));
  await expect(node.reader('all').read()).rejects.toMatchObject({
    kind: 'protocol',
    problem: { code: 'answer-too-large' },
  });
});

test('lines of a time are found if the first entry of a rotated file comes in pieces', async () => {
  const at = (second: number, text: string) => `2026-11-21T10:00:${second}.500000000Z stdout F ${text}\n`;
  node.app.fill({
    [OLD]: Buffer.from(at(30, 'one')),
    // The clock was set back: any file may have lines of the time.
    '0.log': Buffer.from(at(28, 'two')),
  });
  const sinceTime = { seconds: Date.UTC(2026, 10, 21, 10, 0, 30) / 1_000, nanos: 0 };
  expect(await node.reader('all').read({ sinceTime })).toBe('2026-11-21T10:00:30.500000000Z one\n');
});
