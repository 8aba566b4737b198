import { existsSync } from 'node:fs';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AgentUnderTest } from '../../../../../test/support/agent/agent-under-test.ts';
import { ContainerOnDisk } from '../../../../../test/support/agent/container-on-disk.ts';
import { COUNTED_LEVELS } from '../../domain/coverage/scan.ts';

const LOG = '/apis/logtool.dev/v1alpha1/namespaces/shop/pods/web/log';

let container: ContainerOnDisk;
let agent: AgentUnderTest;

beforeEach(async () => {
  container = new ContainerOnDisk();
  agent = await AgentUnderTest.start({ root: container.root, clock: new FakeClock(Date.now()) });
});
afterEach(async () => {
  await agent.close();
  container.close();
});

async function search(query: string): Promise<readonly string[]> {
  const { code, body } = await agent.http2(`${LOG}?format=entries&${query}`);
  expect(code, body.toString()).toBe(200);
  return body.toString().split('\n').slice(0, -1);
}

const messagesIn = (lines: readonly string[]) =>
  lines.filter((line) => !line.startsWith('#')).map((line) => line.slice(line.indexOf(' F ') + 3));

describe.runIf(existsSync('/proc/self/fd'))('a search of the agent', () => {
  test('finds lines in all files, says how much it read of how much, what it covers and where it ended', async () => {
    for (const message of ['an error', 'nothing', 'another error']) container.write(message);
    container.compress(container.rotate());
    for (const message of ['nothing', 'the last error']) container.write(message);
    const lines = await search('grep=error');
    expect(messagesIn(lines)).toEqual(['an error', 'another error', 'the last error']);
    const begin = /^#file (\S+) /.exec(lines[0]!)?.[1];
    const end = /^#end (\S+)$/.exec(lines.at(-1)!)?.[1];
    expect(lines.at(-2)).toBe(`#coverage ${begin} ${end}`);
    const [, done, total] = /^#progress (\d+) (\d+)$/.exec(lines.at(-3)!)!;
    expect([done, Number(total)]).toEqual([total, container.written.length + 'stdout F '.length * 5]);
    const backwards = await search('grep=error&direction=backward&limit=2');
    expect(messagesIn(backwards)).toEqual(['the last error', 'another error']);
    const [, from, to] = /^#coverage (\S+) (\S+)$/.exec(backwards.at(-2)!)!;
    expect([to, backwards.at(-1)]).toEqual([end, `#end ${from}`]);
  });

  test('takes the parameters together', async () => {
    for (const message of ['level=info a', 'level=error b', 'level=error C', 'level=warn d', 'level=error e'])
      container.write(message);
    expect(messagesIn(await search('level=error&level=warn&exclude=b'))).toEqual([
      'level=error C',
      'level=warn d',
      'level=error e',
    ]);
    expect(messagesIn(await search('level=error,warn&grep=[bc]$&ignoreCase=true'))).toEqual([
      'level=error b',
      'level=error C',
    ]);
    expect(messagesIn(await search('grep=d$&context=1'))).toEqual([
      'level=error C',
      'level=warn d',
      'level=error e',
    ]);
  });

  test('ends after a number of bytes, and continues from there', async () => {
    for (let line = 0; line < 5_000; line++) container.write(`line ${line}`);
    const found: string[] = [];
    let from = '0::0';
    let requests = 0;
    for (; requests < 100; requests++) {
      const lines = await search(`grep=7$&maxScan=20000&from=${encodeURIComponent(from)}`);
      found.push(...messagesIn(lines));
      const end = lines.at(-1)!.slice('#end '.length);
      if (end === from) break;
      from = end;
    }
    expect(found).toEqual(Array.from({ length: 500 }, (_, at) => `line ${at * 10 + 7}`));
    expect(requests).toBeGreaterThan(3);
  });

  test('ends at the limit of the agent, and continues from there, whatever it asks for', async () => {
    for (let line = 0; line < 1000; line++) container.write(`line ${line} ${'x'.repeat(100)}`);
    const { root } = container;
    const limited = await AgentUnderTest.start({
      root,
      clock: new FakeClock(Date.now()),
      maxScanBytes: 20_000,
    });
    onTestFinished(() => limited.close());
    const found: string[] = [];
    let from = '0::0';
    let requests = 0;
    for (; requests < 100; requests++) {
      const query = `format=entries&grep=7%20x&maxScan=9000000&from=${encodeURIComponent(from)}`;
      const lines = (await limited.http2(`${LOG}?${query}`)).body.toString().split('\n').slice(0, -1);
      found.push(...messagesIn(lines));
      const end = lines.at(-1)!.slice('#end '.length);
      if (end === from) break;
      from = end;
    }
    expect(found).toHaveLength(100);
    expect(requests).toBeGreaterThan(3);
  });

  test('is refused by an agent that runs none', async () => {
    container.write('one');
    const { root } = container;
    const without = await AgentUnderTest.start({ root, clock: new FakeClock(Date.now()), searches: 0 });
    onTestFinished(() => without.close());
    expect(await without.http1(`${LOG}?format=entries&grep=one`)).toMatchObject({ code: 429 });
    expect(await without.http1(`${LOG}?format=entries`)).toMatchObject({ code: 200 });
  });

  test('counts records and matches by time and level', async () => {
    for (const message of ['level=info a', 'level=error b', 'no level', 'level=error c'])
      container.write(message);
    const { body } = await agent.http1(`${LOG}?count=1m&grep=b`);
    const lines = body.toString().split('\n').slice(0, -1);
    expect(lines.filter((line) => !line.startsWith('#'))).toEqual([]);
    const counts = JSON.parse(lines.find((line) => line.startsWith('#counts'))!.slice('#counts '.length));
    expect(counts).toEqual({
      bucketMs: 60_000,
      levels: COUNTED_LEVELS,
      buckets: [{ fromMs: 1_800_000_000_000, lines: [0, 2, 0, 1, 0, 0, 1], matches: [0, 1, 0, 0, 0, 0, 0] }],
    });
    expect(lines.at(-2)).toMatch(/^#coverage \S+ \S+$/);
  });

  test.each([
    ['grep=(', 400, 'grep: "(" is no RE2 pattern: missing closing )'],
    ['exclude=%5B', 400, 'exclude: "[" is no RE2 pattern'],
    ['grep=(x{1000}){1000}', 400, 'at most 10000 are matched'],
    ['level=loud', 422, 'level: Unsupported value'],
    ['context=-1&grep=x', 422, 'context: Invalid value'],
    ['context=10001&grep=x', 422, 'context: Unsupported value'],
    ['maxScan=0', 422, 'maxScan: Invalid value'],
    ['count=7m', 422, 'count: Unsupported value'],
    ['count=1m&limit=3', 422, 'at most one of `count` or `limit`'],
  ])('refuses %s', async (query, code, wanted) => {
    container.write('one');
    const answer = await agent.http1(`${LOG}?format=entries&${query}`);
    const { message } = JSON.parse(answer.body.toString());
    expect({ code: answer.code, message }).toEqual({ code, message: expect.stringContaining(wanted) });
  });

  describe('of a log that is larger than what is in transit', () => {
    beforeEach(() => {
      for (let line = 0; line < 40_000; line++) container.write(`${line} ${'x'.repeat(400)}`);
    });

    /** Begins a search whose reader takes one piece and waits; returns a function with which it leaves. */
    async function begin(): Promise<() => Promise<void>> {
      let leave: () => void = () => {};
      let isBegun = false;
      const waiting = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const answer = agent.http1(`${LOG}?format=entries&grep=x`, {
        onBody: async () => {
          isBegun = true;
          await waiting;
          throw new Error('enough');
        },
      });
      await expect.poll(() => isBegun).toBe(true);
      return async () => {
        leave();
        await answer;
      };
    }

    test('runs beside one other; a third one must come again, and finds a slot once a reader left', async () => {
      const leaves = [await begin(), await begin()];
      const third = await agent.http1(`${LOG}?format=entries&grep=x&limit=1`);
      expect(third).toMatchObject({ code: 429, retryAfter: '1' });
      expect(JSON.parse(third.body.toString())).toMatchObject({
        reason: 'TooManyRequests',
        details: { retryAfterSeconds: 1 },
      });
      expect((await agent.http1(`${LOG}?count=1m`)).code).toBe(429);
      // What searches for nothing needs none.
      expect((await agent.http1(`${LOG}?format=entries&limit=1`)).code).toBe(200);
      await leaves[0]?.();
      await expect
        .poll(async () => (await agent.http1(`${LOG}?format=entries&grep=x&limit=1`)).code)
        .toBe(200);
      await leaves[1]?.();
    });

    test('stops reading when its reader leaves', async () => {
      const leave = await begin();
      expect(container.openFiles).toEqual(['0.log']);
      await leave();
      await expect.poll(() => container.openFiles).toEqual([]);
      expect(agent.reports).toEqual([]);
    });
  });
});
