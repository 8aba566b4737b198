import { existsSync } from 'node:fs';
import type { LogQuery } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentUnderTest } from '../../../../../test/support/agent/agent-under-test.ts';
import { NodeUnderRead } from '../../../../../test/support/backend/node-under-read.ts';

/** The files of a container in several, as the agent reads them, and in one, as the log API does. */
const FILES = [
  [
    '2026-11-21T10:00:00.5Z stdout F first, with a short stamp',
    '2026-11-21T10:00:01.000000001Z stderr P begun ',
    '2026-11-21T10:00:01.000000002Z stdout P and ',
  ],
  [
    '2026-11-21T10:00:02.1Z stdout F ended in another file',
    '2026-11-21T10:00:03.123456789Z stdout F naïve ✓',
    '2026-11-21T10:00:03.2+00:00 stderr F of a node with a zone',
    '2026-11-21T11:00:03.25+01:00 stderr F of another zone',
  ],
  ['2026-11-21T10:00:05Z stdout F ', '2026-11-21T10:00:06.999999999Z stdout F last'],
].map((lines) => Buffer.from(lines.map((line) => `${line}\n`).join('')));

let node: NodeUnderRead;
let agent: AgentUnderTest;
let path: string;
beforeAll(async () => {
  node = await NodeUnderRead.start();
  agent = await AgentUnderTest.start({ root: node.appPath.root, clock: systemClock });
  path = '/apis/logtool.dev/v1alpha1/namespaces/shop/pods/web/log';
});
beforeEach(() => {
  const [oldest, old, newest] = FILES as [Buffer, Buffer, Buffer];
  node.app.fill({ '0.log.20261121-100001': oldest, '0.log.20261121-100004': old, '0.log': newest });
  node.app.compress('0.log.20261121-100001');
  node.whole.fill({ '0.log': Buffer.concat(FILES) });
});
afterAll(async () => {
  await agent.close();
  await node.close();
});

function queryOf(query: Partial<LogQuery>): string {
  return textOf({ ...query, container: 'app' });
}

function textOf(parameters: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(entries).toString();
}

describe.runIf(existsSync('/proc/self/fd'))('the log that an agent returns', () => {
  test.each<Partial<LogQuery>>([
    {},
    { timestamps: true },
    { tailLines: 0 },
    { tailLines: 3 },
    { tailLines: 3, timestamps: true },
    { tailLines: 100, timestamps: true },
    { limitBytes: 1 },
    { limitBytes: 40, timestamps: true },
    { limitBytes: 100_000 },
    { tailLines: 2, limitBytes: 45, timestamps: true },
    { sinceSeconds: 1 },
    { sinceSeconds: 1_000_000_000, timestamps: true },
  ])('has the bytes that core returns of one file: %j', async (query) => {
    const wanted = await node.ask('whole', { timestamps: false, ...query });
    for (const ask of [agent.http1.bind(agent), agent.http2.bind(agent)]) {
      const { code, type, body, isCut } = await ask(`${path}?${queryOf(query)}`);
      expect({ code, type, isCut }).toEqual({ code: 200, type: 'text/plain', isCut: false });
      expect(body.toString()).toBe(wanted);
    }
  });

  test.each([
    '2026-11-21T10:00:00Z',
    '2026-11-21T10:00:03Z',
    '2026-11-21T10:00:03.9Z',
    '2026-11-21T12:00:05+02:00',
    '2026-11-22T00:00:00Z',
  ])('begins where core begins: since %s', async (sinceTime) => {
    const since = { seconds: Math.floor(Date.parse(sinceTime) / 1000), nanos: 0 };
    for (const tail of [{}, { tailLines: 4 }]) {
      const wanted = await node.ask('whole', { ...tail, sinceTime: since });
      const query = new URLSearchParams({
        ...JSON.parse(JSON.stringify(tail)),
        sinceTime,
        timestamps: 'true',
      });
      const { body } = await agent.http2(`${path}?${query}&container=app`);
      expect(body.toString()).toBe(wanted);
    }
  });

  const STDOUT = ['first, with a short stamp', 'and ended in another file', 'naïve ✓', '', 'last'];
  const STDERR = ['begun of a node with a zone', 'of another zone'];
  test.each([
    ['stream=Stdout', STDOUT],
    ['stream=Stderr', STDERR],
    ['stream=Stdout&tailLines=1', STDOUT.slice(-1)],
    ['stream=Stderr&tailLines=0', []],
    ['stream=Stderr&tailLines=1', STDERR.slice(-1)],
    ['stream=Stderr&tailLines=2', STDERR],
    ['stream=Stdout&sinceTime=2026-11-21T10:00:05Z', STDOUT.slice(-2)],
  ])('has only lines of one stream: %s', async (query, lines) => {
    const { body } = await agent.http1(`${path}?${query}&container=app`);
    expect(body.toString()).toBe(lines.map((line) => `${line}\n`).join(''));
  });

  test('has lines of both streams, and refuses others in words of core', async () => {
    const all = await agent.http1(`${path}?stream=All&container=app`);
    expect(all.body.toString()).toBe(await node.ask('whole', { timestamps: false }));
    const { code, body } = await agent.http1(`${path}?stream=stderr&container=app`);
    expect({ code, status: JSON.parse(body.toString()) }).toMatchObject({
      code: 422,
      status: {
        reason: 'Invalid',
        message:
          'PodLogOptions "web" is invalid: stream: Unsupported value: "stderr": supported values: "All", "Stderr", "Stdout"',
      },
    });
  });

  describe.each(['http1', 'http2'] as const)('followed over %s', (version) => {
    const NEXT = '2026-11-21T10:00:08.000000001Z stderr F the next line\n';

    /** Follows; once it has the lines before, writes, and leaves with the text after. */
    async function follow(query: string, before: string, written: string, after: string): Promise<string> {
      let text = '';
      let isWritten = false;
      const onText = () => {
        if (isWritten || text !== before) return;
        isWritten = true;
        node.app.append('0.log', Buffer.from(written));
      };
      await agent[version](`${path}?follow=true&container=app&${query}`, {
        onHead: onText,
        onBody: async (piece) => {
          text += piece.toString();
          onText();
          if (text === after) throw new Error('enough');
        },
      });
      return text;
    }

    test.each<Partial<LogQuery>>([
      {},
      { timestamps: true },
      { tailLines: 0 },
      { tailLines: 3, timestamps: true },
      { tailLines: 100 },
      { sinceSeconds: 1_000_000_000, timestamps: true },
      { tailLines: 2, sinceSeconds: 1_000_000_000 },
      { limitBytes: 100_000, tailLines: 2 },
    ])('has the bytes that core returns of one file, then what is written: %j', async (query) => {
      const before = await node.ask('whole', { timestamps: false, ...query });
      node.whole.append('0.log', Buffer.from(NEXT));
      const next = await node.ask('whole', { timestamps: query.timestamps === true, tailLines: 1 });
      expect(await follow(textOf(query), before, NEXT, before + next)).toBe(before + next);
    });

    test('leaves out what is older than the time, also of what is written', async () => {
      const older = NEXT.replace('10:00:08', '10:00:07');
      const query = 'sinceTime=2026-11-21T10:00:08Z';
      expect(await follow(query, '', `${older}${NEXT}`, 'the next line\n')).toBe('the next line\n');
    });

    test('has only lines of one stream, also of what is written', async () => {
      const other = NEXT.replace('stderr', 'stdout').replace('next', 'other');
      const query = 'stream=Stderr&tailLines=1';
      const [before, after] = ['of another zone\n', 'of another zone\nthe next line\n'];
      expect(await follow(query, before, `${other}${NEXT}${other}`, after)).toBe(after);
    });
  });

  test.each<[Partial<LogQuery>]>([
    [{ tailLines: -1 }],
    [{ limitBytes: 0 }],
    [{ sinceSeconds: 0 }],
    [{ sinceSeconds: 1, sinceTime: { seconds: 1_800_000_000, nanos: 0 } }],
    [{ tailLines: -1, limitBytes: -5 }],
    [{ tailLines: 1.5 }],
    [{ container: '' }],
    [{ container: 'nope' }],
    [{ previous: true }],
    [{ pod: 'nope' }],
  ])('refuses what core refuses, in its words: %j', async (query) => {
    const core = node.ask('whole', query);
    const wanted = await core.then(
      () => 'no error',
      (error: { status: number; reason: string; message: string }) => error,
    );
    const { pod = 'web', sinceTime, container = 'whole', ...rest } = query;
    const others = sinceTime === undefined ? {} : { sinceTime: '2027-01-15T08:00:00Z' };
    const asked = textOf({ ...rest, ...others, container });
    const { code, body, type } = await agent.http1(`${path.replace('web', pod)}?${asked}`);
    const status = JSON.parse(body.toString());
    expect({ code, type }).toEqual({ code: status.code, type: 'application/json' });
    expect(status).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure' });
    expect(wanted).toMatchObject({ status: code, reason: status.reason, message: status.message });
  });
});
