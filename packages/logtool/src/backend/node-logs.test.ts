import type { LogQuery } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../test/support/fake-client.ts';
import type { Frame } from '../domain/frame.ts';
import { NodeLogs } from './node-logs.ts';
import { NodeDisk } from './testing/node-disk.ts';
import { FOLDER, TARGET } from './testing/read-backend.ts';

const STAMP = '2026-11-21T10:00:00.5Z';
const entry = (text: string) => Buffer.from(`${STAMP} stdout F ${text}\n`);

interface Asked {
  readonly disk: NodeDisk;
  readonly files?: 'all' | 'rotated';
  readonly query?: Partial<LogQuery>;
  readonly containerId?: string;
  /** What the node answers instead. */
  readonly failure?: KubeError;
}

/** Reads with the log API answering `api`; returns the text, the notices and the queries of the log API. */
async function read({ disk, files = 'all', query = {}, containerId = 'c://2', failure }: Asked) {
  const frames: Frame[] = [];
  const queries: LogQuery[] = [];
  const client = fakeClient({
    nodeFile: failure === undefined ? disk.nodeFile : () => Promise.reject(failure),
    log: async (asked: LogQuery) => {
      queries.push(asked);
      return { status: 200 as const, body: bodyOf('api\n') };
    },
  });
  const logs = new NodeLogs({ client, clock: systemClock, files });
  const address = { namespace: 'shop', pod: 'web', container: 'app', timestamps: true };
  const open = async () => {
    const { body } = await logs.open(
      { target: TARGET, containerId },
      { ...address, ...query },
      { signal: new AbortController().signal, report: (frame) => frames.push(frame) },
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  return { text: await open(), again: open, frames, queries };
}

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function diskWith(files: Readonly<Record<string, Buffer>>, folder = FOLDER): NodeDisk {
  const disk = new NodeDisk(folder);
  for (const [name, bytes] of Object.entries(files)) disk.files.set(name, bytes);
  return disk;
}

const ROTATED = { '2.log.20261121-100000': entry('old'), '2.log': entry('new') };

test('the run before the current one has its own files', async () => {
  const disk = diskWith({
    ...ROTATED,
    '1.log': entry('new of 1'),
    '1.log.20261121-090000': entry('old of 1'),
  });
  const { text, queries } = await read({ disk, containerId: 'c://1', query: { previous: true } });
  expect(text).toBe(`${STAMP} old of 1\n${STAMP} new of 1\n`);
  expect(queries).toEqual([]);
});

test.each([
  ['a follow', { query: { follow: true } }],
  ['a run that has not begun', { containerId: '' }],
])('%s is left to the log API', async (_, asked) => {
  const disk = diskWith(ROTATED);
  expect((await read({ disk, ...asked })).text).toBe('api\n');
  expect(disk.requests).toBe(0);
});

test('a container without rotated files, or without a folder, is left to the log API', async () => {
  expect((await read({ disk: diskWith({ '2.log': entry('new') }) })).text).toBe('api\n');
  expect((await read({ disk: diskWith(ROTATED, 'pods/other_web_u/app') })).text).toBe('api\n');
  expect((await read({ disk: diskWith({ '2.log': entry('new') }), files: 'rotated' })).text).toBe('');
});

test('the folder of a static pod has the hash of its definition in its name', async () => {
  const disk = diskWith(ROTATED, 'pods/shop_web_0123456789abcdef/app');
  const pods = '<pre>\n<a href="shop_web-2_77/">x</a>\n<a href="shop_web_0123456789abcdef/">x</a>\n</pre>\n';
  disk.pods = pods;
  expect((await read({ disk })).text).toBe(`${STAMP} old\n${STAMP} new\n`);
  // With two it is not certain which is the pod's.
  disk.pods = pods.replace('web-2', 'web');
  expect((await read({ disk })).text).toBe('api\n');
});

const FORBIDDEN = new KubeError({ kind: 'forbidden', status: 403, message: 'no' });
const DISABLED = new KubeError({ kind: 'http', status: 405, message: 'logs endpoint is disabled.' });

test.each([
  ['forbidden', FORBIDDEN],
  ['disabled', DISABLED],
])('a node whose files are %s is reported once, and not asked again', async (why, failure) => {
  const disk = diskWith(ROTATED);
  const { text, again, frames } = await read({ disk, failure });
  expect([text, await again()]).toEqual(['api\n', 'api\n']);
  expect(frames).toEqual([{ type: 'notice', code: 'node-files-refused', data: { node: 'node-1', why } }]);
  await expect(read({ disk, failure, files: 'rotated' })).rejects.toBe(failure);
});

test('a failure of the node is one of the read: it is not taken for a missing right', async () => {
  const failure = new KubeError({ kind: 'server', status: 503, message: 'error trying to reach service' });
  await expect(read({ disk: diskWith(ROTATED), failure })).rejects.toBe(failure);
});

test('a damaged file is an error, and not the end of the log', async () => {
  const disk = diskWith({ '2.log.20261121-100000': entry('old '.repeat(50_000)), '2.log': entry('new') });
  disk.compress('2.log.20261121-100000');
  const name = '2.log.20261121-100000.gz';
  const whole = disk.files.get(name)!;
  disk.files.set(name, whole.subarray(0, whole.length - 20));
  await expect(read({ disk })).rejects.toMatchObject({
    kind: 'protocol',
    problem: { code: 'bad-compression' },
  });
  disk.files.set(name, Buffer.from('no gzip'));
  await expect(read({ disk })).rejects.toMatchObject({
    kind: 'protocol',
    problem: { code: 'bad-compression' },
  });
});

test('files of another format are an error, and not an empty log', async () => {
  const line = Buffer.from('{"log":"text\\n","stream":"stdout","time":"2026-11-21T10:00:00Z"}\n');
  const disk = diskWith({ '2.log.20261121-100000': line, '2.log': line });
  await expect(read({ disk })).rejects.toMatchObject({ kind: 'protocol', problem: { code: 'no-log' } });
});

test('an entry without an end costs bounded memory', async () => {
  const disk = diskWith({
    '2.log.20261121-100000': Buffer.concat([
      entry('old'),
      Buffer.alloc(8 * 1024 * 1024, 'x'),
      Buffer.from('\n'),
    ]),
    '2.log': entry('new'),
  });
  expect((await read({ disk })).text).toBe(`${STAMP} old\n${STAMP} new\n`);
});

test('a listing without an end is an error', async () => {
  const disk = diskWith(ROTATED);
  for (let file = 0; file < 40_000; file++) disk.files.set(`3.log.${file}`, Buffer.alloc(0));
  await expect(read({ disk })).rejects.toMatchObject({
    kind: 'protocol',
    problem: { code: 'answer-too-large' },
  });
});
