import { existsSync } from 'node:fs';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AgentUnderTest,
  type Answer,
  type Ask,
  type Review,
} from '../../../../../test/support/agent/agent-under-test.ts';
import { ContainerOnDisk } from '../../../../../test/support/agent/container-on-disk.ts';
import { LocalFolder } from '../files/local-folder.ts';

const FOLLOW = '/apis/logtool.dev/v1alpha1/namespaces/shop/pods/web/log?follow=true&timestamps=true';

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

const watches = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
const expectNothingOpen = () =>
  expect.poll(() => ({ files: container.openFiles, watches: watches() })).toEqual({ files: [], watches: 0 });

describe.runIf(existsSync('/proc/self/fd')).each(['http1', 'http2'] as const)(
  'a follow over %s',
  (version) => {
    let text: string;
    let hasBegun: boolean;
    let answer: Promise<Answer>;

    function begin(path = FOLLOW, ask: Ask = {}): void {
      text = '';
      hasBegun = false;
      answer = agent[version](path, {
        onHead: () => {
          hasBegun = true;
        },
        onBody: async (piece) => {
          text += piece.toString();
        },
        ...ask,
      });
    }
    /** Lets time pass until the follow has ended. */
    async function settled(followed: Promise<Answer>): Promise<void> {
      let isOver = false;
      void followed.then(() => {
        isOver = true;
      });
      await expect
        .poll(async () => {
          await clock.advance(50);
          return isOver;
        })
        .toBe(true);
    }
    const arrived = () => expect.poll(() => text).toBe(container.written);

    test('begins although there is no line, has each at once, and ends with the pod', async () => {
      begin();
      await expect.poll(() => hasBegun).toBe(true);
      for (const line of ['first', 'second', 'third']) {
        container.write(line);
        await arrived();
      }
      container.removePod();
      expect(await answer).toMatchObject({ code: 200, type: 'text/plain', isCut: false });
      expect(agent.reports).toEqual([]);
      await expectNothingOpen();
    });

    test('continues after a rotation', async () => {
      container.write('first');
      begin();
      await arrived();
      container.rotate();
      container.write('second');
      await expect
        .poll(async () => {
          await clock.advance(50);
          return text;
        })
        .toBe(container.written);
      container.removePod({ folder: true });
      expect(await answer).toMatchObject({ isCut: false });
    });

    test('has each of 60,000 lines once, in order, over 20 rotations while it is written to', async () => {
      begin(FOLLOW, { onBody: async () => {} });
      await expect.poll(() => hasBegun).toBe(true);
      for (let rotation = 0; rotation < 20; rotation++) {
        for (let line = 0; line < 3000; line++) {
          container.write(`${line} of file ${rotation}, as long as lines often are`);
          // The follow reads meanwhile.
          if (line % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        const [older] = container.rotated.filter((name) => !name.endsWith('.gz'));
        if (older !== undefined) container.compress(older);
        container.rotate();
      }
      container.write('the end');
      container.restart();
      const { written } = container;
      await settled(answer);
      const { body, isCut } = await answer;
      expect({ isCut, isWhole: body.toString() === written }).toEqual({ isCut: false, isWhole: true });
    });

    test('ends with its run', async () => {
      container.write('first');
      begin();
      await arrived();
      container.restart();
      container.write('of the next run');
      const { body, isCut } = await answer;
      expect({ body: body.toString(), isCut }).toEqual({ body: text, isCut: false });
      expect(text).not.toContain('next run');
    });

    test('begins with the last lines, and ends at the limit of bytes', async () => {
      for (const line of ['first', 'second', 'third']) container.write(line);
      begin(`${FOLLOW.replace('&timestamps=true', '')}&tailLines=1&limitBytes=12`);
      await expect.poll(() => text).toBe('third\n');
      container.write('fourth');
      expect((await answer).body.toString()).toBe('third\nfourth');
      await expectNothingOpen();
    });

    test('closes the files when its reader leaves', async () => {
      container.write('first');
      begin(FOLLOW, { onBody: () => Promise.reject(new Error('enough')) });
      expect(await answer).toMatchObject({ code: 200, isCut: true });
      await expectNothingOpen();
      expect(agent.reports).toEqual([]);
    });

    test('ends when its reader loses the permission, so that it does not look complete', async () => {
      container.write('first');
      begin();
      await arrived();
      review = async () => false;
      await clock.advance(60_000);
      expect(await answer).toMatchObject({ code: 200, isCut: true });
      expect(agent.reports).toEqual([{ code: 'stream-ended', problem: 'denied', cause: undefined }]);
      await expectNothingOpen();
    });

    test('a follow that fails does not look complete', async () => {
      container.write('first');
      begin();
      await arrived();
      container.remove('0.log');
      container.link('0.log', 'elsewhere');
      expect(await answer).toMatchObject({ code: 200, isCut: true });
      expect(agent.reports).toMatchObject([{ code: 'read-failed', isCut: true, error: { because: 'link' } }]);
      await expectNothingOpen();
    });

    test('says once that the system reports no changes, and continues', async () => {
      vi.spyOn(LocalFolder.prototype, 'watch').mockRejectedValueOnce(new Error('too many watches'));
      container.write('first');
      begin();
      await arrived();
      expect(agent.reports).toMatchObject([{ code: 'unwatched' }]);
    });
  },
);

test.runIf(existsSync('/proc/self/fd'))(
  'closes the files of a reader who leaves before the answer begins',
  async () => {
    const other = await AgentUnderTest.start({ root: container.root, clock });
    let isOpen = false;
    vi.spyOn(LocalFolder.prototype, 'watch').mockImplementationOnce(async () => {
      isOpen = container.openFiles.length > 0;
      const abort = vi.spyOn(AbortController.prototype, 'abort');
      await other.close();
      await expect.poll(() => abort.mock.calls.length).toBeGreaterThan(0);
      abort.mockRestore();
      return undefined;
    });
    await expect(other.http1(FOLLOW)).rejects.toThrow('socket hang up');
    expect(isOpen).toBe(true);
    await expectNothingOpen();
  },
);
