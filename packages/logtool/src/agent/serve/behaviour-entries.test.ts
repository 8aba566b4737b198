import { chmodSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AgentUnderTest, type Review } from '../../../../../test/support/agent/agent-under-test.ts';
import { ContainerOnDisk } from '../../../../../test/support/agent/container-on-disk.ts';
import { LocalFolder } from '../files/local-folder.ts';

const LOG = '/apis/logtool.dev/v1alpha1/namespaces/shop/pods/web/log';
const FIRST = '2027-01-15T08:00:00.000000005Z';
/** Length of an entry with a message of three letters. */
const STEP = 44;

let container: ContainerOnDisk;
let clock: FakeClock;
let review: Review;
let agent: AgentUnderTest;

beforeEach(async () => {
  container = new ContainerOnDisk();
  clock = new FakeClock(Date.now());
  review = async () => true;
  agent = await AgentUnderTest.start({
    root: container.root,
    clock,
    review: (who, what, options) => review(who, what, options),
  });
});
afterEach(async () => {
  await agent.close();
  container.close();
});

async function entries(query = ''): Promise<readonly string[]> {
  const { code, body } = await agent.http2(`${LOG}?format=entries${query}`);
  expect(code, body.toString()).toBe(200);
  return body.toString().split('\n').slice(0, -1);
}

const stampOf = (second: number) => FIRST.replace('08:00:00', `08:00:0${second}`);

describe.runIf(existsSync('/proc/self/fd'))('entries of an agent', () => {
  test('have their position in front, name their files, and end with where to continue', async () => {
    container.write('one');
    container.write('two');
    const older = container.rotate();
    container.compress(older);
    container.write('ten');
    expect(await entries()).toEqual([
      `#file 0:${FIRST}:0 ${older}.gz`,
      `0:${FIRST}:0 ${FIRST} stdout F one`,
      `0:${FIRST}:${STEP} ${stampOf(1)} stdout F two`,
      `#file 0:${stampOf(2)}:0 0.log`,
      `0:${stampOf(2)}:0 ${stampOf(2)} stdout F ten`,
      `#end 0:${stampOf(2)}:${STEP}`,
    ]);
  });

  test('continue where reading ended, although the file was rotated and compressed meanwhile', async () => {
    container.write('one');
    const end = (await entries()).at(-1)!.slice('#end '.length);
    container.write('two');
    container.compress(container.rotate());
    container.write('ten');
    const lines = await entries(`&from=${encodeURIComponent(end)}`);
    expect(lines.filter((line) => !line.startsWith('#')).map((line) => line.slice(-3))).toEqual([
      'two',
      'ten',
    ]);
  });

  test('include an entry that the runtime is still writing, and come again from its beginning', async () => {
    container.write('one');
    const finish = container.write('two', { cutAt: 41 });
    const [, , half, end] = await entries();
    expect(half).toBe(`0:${FIRST}:${STEP} ${stampOf(1)} stdout F t`);
    expect(end).toBe(`#end 0:${FIRST}:${STEP}`);
    finish();
    expect(await entries(`&from=0:${FIRST}:${STEP}`)).toContain(
      `0:${FIRST}:${STEP} ${stampOf(1)} stdout F two`,
    );
  });

  test('are of all runs, or of one', async () => {
    container.write('one');
    container.restart();
    container.write('two');
    const ofAll = await entries();
    const [first, second] = ofAll.filter((line) => !line.startsWith('#'));
    expect([first?.slice(0, 2), second?.slice(0, 2)]).toEqual(['0:', '1:']);
    const ofOne = async (query: string) => (await entries(query)).filter((line) => !line.startsWith('#'));
    expect(await ofOne('&run=0')).toEqual([first]);
    expect(await ofOne('&run=1')).toEqual([second]);
    expect(await ofOne('&previous=true')).toEqual([first]);
    expect((await agent.http2(`${LOG}?format=entries&run=7`)).code).toBe(404);
  });

  test('name runs of which nothing is left', async () => {
    container.write('one');
    container.restart();
    container.restart();
    container.write('two');
    container.remove('1.log');
    const forward = await entries();
    expect(forward).toContain(`#gap 1::0 2:${stampOf(1)}:0 removed`);
    expect((await entries('&direction=backward')).filter((line) => line.startsWith('#gap'))).toEqual(
      forward.filter((line) => line.startsWith('#gap')),
    );
    container.remove('0.log');
    expect(await entries()).toContain(`#gap 0::0 2:${stampOf(1)}:0 removed`);
    container.write('six');
    expect(await entries('&direction=backward&limit=1')).not.toContainEqual(expect.stringContaining('#gap'));
  });

  test('name what lies between a position that is gone and what is there', async () => {
    container.write('one');
    const older = container.rotate();
    container.write('two');
    const gone = `0:${FIRST}:0`;
    container.remove(older);
    const gap = `#gap ${gone} 0:${stampOf(1)}:0 removed`;
    const entry = `0:${stampOf(1)}:0 ${stampOf(1)} stdout F two`;
    const file = `#file 0:${stampOf(1)}:0 0.log`;
    expect(await entries(`&from=${gone}`)).toEqual([gap, file, entry, `#end 0:${stampOf(1)}:${STEP}`]);
    expect(await entries(`&from=${gone}&direction=backward`)).toEqual([
      file,
      entry,
      gap,
      `#end 0:${stampOf(1)}:0`,
    ]);
    expect(await entries(`&before=${gone}&direction=backward`)).toEqual([
      `#gap - ${gone} removed`,
      `#end 0:${stampOf(1)}:0`,
    ]);
  });

  test('name a file that is damaged or unreadable, and continue after it', async () => {
    container.write('one');
    const damaged = container.rotate();
    container.compress(damaged);
    container.write('two');
    const path = container.pathOf(`${damaged}.gz`);
    writeFileSync(path, readFileSync(path).subarray(0, -12));
    const begin = `0:${FIRST}:0`;
    const second = `0:${stampOf(1)}:0`;
    const forward = await entries();
    expect(forward.filter((line) => line.startsWith('#gap'))).toEqual([
      expect.stringMatching(new RegExp(`^#gap 0:${FIRST}:\\d+ ${second} damaged$`)),
    ]);
    expect(forward.at(-2)).toContain('stdout F two');
    writeFileSync(path, 'no gzip');
    expect(await entries()).toContain(`#gap 0::0 ${second} damaged`);
    expect(await entries('&direction=backward')).toContain(`#gap 0::0 ${second} damaged`);
    expect(await entries(`&from=${begin}`)).toContain(`#gap ${begin} ${second} removed`);
  });

  test('name what somebody has cut off', async () => {
    container.write('one');
    container.write('two');
    truncateSync(container.pathOf('0.log'), STEP);
    const position = `0:${FIRST}:${2 * STEP}`;
    expect(await entries(`&from=${position}`)).toContainEqual(expect.stringMatching(/^#gap .* - cut$/));
  });

  test('a run without any readable file is a failure, and not empty', async () => {
    container.write('one');
    chmodSync(container.pathOf('0.log'), 0);
    container.remove('0.log');
    container.link('0.log', '/etc/hostname');
    const { code, body } = await agent.http2(`${LOG}?format=entries`);
    expect(code).toBe(500);
    expect(JSON.parse(body.toString())).toMatchObject({ message: expect.stringContaining('symbolic link') });
  });

  test.each([
    ['limit=0', 422, 'limit: Invalid value: 0'],
    ['limit=x', 400, 'invalid syntax'],
    ['direction=up', 422, 'supported values: "forward", "backward"'],
    ['from=yesterday', 400, 'yesterday'],
    ['from=0::x', 400, '0::x'],
    ['from=0::0&after=0::0', 422, 'at most one of `from` or `after`'],
    ['until=0::0&before=0::0', 422, 'at most one of `until` or `before`'],
    ['tailLines=1', 400, 'tailLines'],
    ['follow=true', 400, 'follow'],
  ])('refuse %s', async (query, code, wanted) => {
    container.write('one');
    const answer = await agent.http1(`${LOG}?format=entries&${query}`);
    expect({ code: answer.code, body: answer.body.toString() }).toEqual({
      code,
      body: expect.stringContaining(JSON.stringify(wanted).slice(1, -1)),
    });
  });

  test('end with an error, and without an end, when reading fails', async () => {
    container.write('one');
    container.rotate();
    container.write('two');
    const openFile = LocalFolder.prototype.openFile;
    let opened = 0;
    vi.spyOn(LocalFolder.prototype, 'openFile').mockImplementation(function (this: LocalFolder, name) {
      // Two to look at the files, one to read the first.
      if (++opened > 3) throw new Error('out of descriptors');
      return openFile.call(this, name);
    });
    const lines = await entries().finally(() => vi.restoreAllMocks());
    expect(lines.at(-2)).toContain('stdout F one');
    expect(lines.at(-1)).toMatch(/^#error \{"kind":"Status".*"code":500\}$/);
    expect(agent.reports).toMatchObject([{ code: 'read-failed', isCut: true }]);
  });

  test('end with an error when their reader loses the permission', async () => {
    for (let line = 0; line < 20_000; line++) container.write(`${line} ${'x'.repeat(500)}`);
    let text = '';
    let isLost = false;
    const { isCut } = await agent.http2(`${LOG}?format=entries`, {
      onBody: async (piece) => {
        text += piece.toString();
        if (isLost) return;
        isLost = true;
        review = async () => false;
        await clock.advance(60_000);
        await expect.poll(() => agent.reports.length).toBe(1);
      },
    });
    expect(isCut).toBe(false);
    const last = text.trimEnd().split('\n').at(-1);
    expect(last).toMatch(/^#error \{"kind":"Status".*"code":403\}$/);
    expect(text).not.toContain('19999 x');
  });
});
