import { existsSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ContainerOnDisk } from '../../../../../test/support/agent/container-on-disk.ts';
import { Following, type FollowingOptions } from '../../../../../test/support/agent/following.ts';
import { LocalFolder } from '../files/local-folder.ts';

const LARGE = 'x'.repeat(20_000);

let container: ContainerOnDisk;
let clock: FakeClock;
beforeEach(() => {
  container = new ContainerOnDisk();
  clock = new FakeClock();
  onTestFinished(() => container.close());
});

async function follow(options: Partial<FollowingOptions> = {}): Promise<Following> {
  const following = new Following(container, { clock, ...options });
  await following.open();
  onTestFinished(() => following.leave());
  return following;
}

/** Writes more than a reader takes at once, so that it stays in the middle of the file. */
function writeMuch(): void {
  for (let line = 0; line < 40; line++) container.write(`${line} ${LARGE}`);
}

describe.runIf(existsSync('/proc/self/fd'))('a followed run', () => {
  test('has what was written before, and what is written later', async () => {
    container.write('before');
    const following = await follow();
    await following.readTo(container.written);
    container.write('later');
    container.write('begun ', { isPartial: true });
    await following.readTo(container.written);
    container.write('and ended');
    await following.readTo(container.written);
  });

  test('shows an entry once the runtime has written all of it', async () => {
    const following = await follow();
    container.write('first');
    const before = container.written;
    const writeRest = container.write('in two pieces', { cutAt: 40 });
    await following.readTo(before);
    writeRest();
    await following.readTo(container.written);
  });

  test('continues in the next file after a rotation', async () => {
    container.write('old');
    const following = await follow();
    await following.readTo(container.written);
    container.rotate();
    container.write('new');
    await following.readTo(container.written);
  });

  test('a line may begin in one file and end in the next', async () => {
    const following = await follow();
    container.write('begun ', { isPartial: true });
    container.rotate();
    container.write('and ended');
    await following.readTo(container.written);
  });

  test('has what the runtime writes into the renamed file until it begins another', async () => {
    container.write('before');
    const following = await follow();
    await following.readTo(container.written);
    container.rename();
    container.write('between');
    await following.readTo(container.written);
    await following.pass(5000);
    container.write('long after');
    container.reopen();
    container.write('after');
    await following.readTo(container.written);
  });

  test('has what a runtime that is slow writes into the old file although the new one exists', async () => {
    const following = await follow();
    container.write('before');
    await following.readTo(container.written);
    const old = container.keepOpen();
    container.rotate();
    await following.pass(20_000);
    old.write('late');
    old.close();
    await following.readTo(container.written);
    container.write('after');
    await following.readTo(container.written);
  });

  test('has what is written into the old file until shortly after the new one begins', async () => {
    const following = await follow();
    container.write('before');
    await following.readTo(container.written);
    await following.inspect();
    const asked = following.ask();
    const old = container.keepOpen();
    container.rotate();
    const before = container.written;
    container.write('after');
    const after = container.written.slice(before.length);
    await following.pass(1000);
    // It has found the new file: it waits for the next inspection, and for the end of the old file.
    while (clock.pending < 2) await following.pass(0);
    container.written = before;
    old.write('late');
    old.close();
    await following.take(asked);
    await following.readTo(container.written + after);
  });

  test('passes no file although several are rotated and compressed while its reader is slow', async () => {
    writeMuch();
    const following = await follow();
    await following.take();
    for (let rotation = 0; rotation < 4; rotation++) {
      const name = container.rotate();
      container.write(`after rotation ${rotation}`);
      writeMuch();
      if (rotation % 2 === 0) container.compress(name);
    }
    await following.inspect();
    await following.readTo(container.written);
  });

  test('passes no file although all of that happens between two inspections', async () => {
    container.write('first');
    const following = await follow();
    await following.readTo(container.written);
    for (let rotation = 0; rotation < 4; rotation++) {
      const name = container.rotate();
      container.write(`after rotation ${rotation}`);
      container.compress(name);
    }
    await following.readTo(container.written);
  });

  test('reads on in a file that is compressed and removed while it is read', async () => {
    writeMuch();
    const following = await follow();
    await following.take();
    container.compress(container.rotate());
    container.remove(container.rotated[0]!);
    container.write('after');
    await following.readTo(container.written);
  });

  test('continues where somebody removed the newest file, and the runtime began another', async () => {
    const following = await follow();
    container.write('before');
    container.remove('0.log');
    container.write('into the removed file');
    container.reopen();
    container.write('after');
    await following.readTo(container.written);
  });

  test('stays with a file that somebody renamed, until the runtime begins another', async () => {
    const following = await follow();
    container.write('before');
    renameSync(container.pathOf('0.log'), container.pathOf('mine'));
    await following.readTo(container.written);
    await following.pass(10_000);
    container.write('into the renamed file');
    await following.readTo(container.written);
    container.reopen();
    container.write('after');
    await following.readTo(container.written);
  });

  test('keeps the order of the files although the clock of the node is set back', async () => {
    container.write('first');
    container.rotate('20270115-090000');
    container.write('second');
    const following = await follow();
    await following.readTo(container.written);
    container.compress(container.rotate('20270115-080000'));
    container.write('third');
    await following.inspect();
    container.rotate('20270115-070000');
    container.write('fourth');
    await following.readTo(container.written);
  });

  test('fails if the clock of the node is set back between two rotations that it did not see', async () => {
    container.write('first');
    const following = await follow();
    await following.readTo(container.written);
    const { written } = container;
    container.rotate('20270115-090000');
    container.write('second');
    container.rotate('20270115-080000');
    container.write('third');
    await following.readToEnd();
    expect(following).toMatchObject({ text: written, end: { error: { name: 'RemovedUnread' } } });
  });

  test('ends after the last line of the run when the next run begins', async () => {
    container.write('first run');
    const following = await follow();
    container.write('last words');
    const { written } = container;
    container.restart();
    container.write('second run');
    await following.readToEnd();
    expect(following).toMatchObject({ text: written, end: 'ended' });
  });

  test('has the last entry of a run that was stopped while it wrote', async () => {
    const following = await follow();
    container.write('first');
    container.write('cut short', { cutAt: 43 });
    container.restart();
    await following.readToEnd();
    expect(following).toMatchObject({ text: container.written.slice(0, -' short\n'.length), end: 'ended' });
  });

  test('an earlier run ends when it is read', async () => {
    container.write('first run');
    container.compress(container.rotate());
    container.write('its end');
    const { written } = container;
    container.restart();
    container.write('second run');
    const following = await follow({ run: 0 });
    await following.readToEnd();
    expect(following).toMatchObject({ text: written, end: 'ended' });
  });

  test.each([false, true])(
    'ends when the files are removed with their pod; folders too: %s',
    async (folder) => {
      container.rotate();
      container.write('first');
      const following = await follow();
      await following.readTo(container.written);
      container.write('last words');
      container.removePod({ folder });
      await following.readToEnd();
      expect(following).toMatchObject({ text: container.written, end: 'ended' });
    },
  );

  test('ends although nothing was written since the last rotation', async () => {
    container.write('first');
    const following = await follow();
    container.rotate();
    const { written } = container;
    container.restart();
    await following.readToEnd();
    expect(following).toMatchObject({ text: written, end: 'ended' });
  });

  test('fails if the kubelet removes a file before its reader comes to it', async () => {
    writeMuch();
    const following = await follow();
    await following.take();
    for (const line of ['lost', 'kept']) {
      container.rotate();
      container.write(line);
    }
    await following.inspect();
    container.remove(container.rotated[1]!);
    await following.inspect();
    expect(container.openFiles).toEqual([container.rotated[0]]);
    await following.readToEnd();
    expect(following.end).toMatchObject({ error: { name: 'RemovedUnread' } });
    expect(following.text).toBe(container.written.slice(0, container.written.indexOf('2027-01-15T08:00:40')));
  });

  test('fails if it cannot know which files came between', async () => {
    container.write('first');
    const following = await follow();
    await following.readTo(container.written);
    const { written } = container;
    for (const line of ['second', 'third', 'fourth']) {
      container.rotate();
      container.write(line);
    }
    for (const name of container.rotated.slice(0, 2)) container.remove(name);
    await following.readToEnd();
    expect(following).toMatchObject({ text: written, end: { error: { name: 'RemovedUnread' } } });
  });

  test('fails if somebody cuts the file shorter', async () => {
    container.write('first');
    const following = await follow();
    await following.readTo(container.written);
    truncateSync(container.pathOf('0.log'), 10);
    await following.readToEnd();
    expect(following.end).toMatchObject({ error: { file: '0.log', because: 'cut' } });
  });

  test('fails if the files are no log', async () => {
    writeFileSync(container.pathOf('0.log'), '{"log":"text"}\n');
    const following = await follow();
    await following.readToEnd();
    expect(following.end).toMatchObject({ error: { kind: 'protocol', problem: { code: 'no-log' } } });
  });

  test('fails if the newest file becomes a link', async () => {
    const following = await follow();
    container.rename();
    container.link('0.log', 'mine');
    await following.readToEnd();
    expect(following.end).toMatchObject({ error: { file: '0.log', because: 'link' } });
  });

  test('holds two files open, and reads nothing ahead, however slow its reader is', async () => {
    writeMuch();
    const following = await follow();
    await following.take();
    const { text } = following;
    for (let rotation = 0; rotation < 5; rotation++) {
      container.rotate();
      container.write(`after rotation ${rotation}`);
      await following.inspect();
      expect(container.openFiles).toEqual(['0.log', expect.stringMatching(/^0\.log\.20270115-080000/)]);
    }
    expect(following.text).toBe(text);
    await following.readTo(container.written);
    // Apart from an inspection that is under way.
    await expect.poll(() => container.openFiles).toEqual(['0.log']);
  });

  describe('begins', () => {
    beforeEach(() => {
      for (const line of ['first', 'second', 'third']) {
        container.write(line);
        container.write(`${line}, later`);
        container.rotate();
      }
      container.compress(container.rotated[0]!);
      for (const line of ['fourth', 'fifth']) container.write(line);
    });

    test.each([
      [0, 8],
      [1, 7],
      [2, 6],
      [3, 5],
      [7, 1],
      [100, 0],
    ])('with the last %i lines', async (tailLines, first) => {
      const following = await follow({ query: { tailLines } });
      container.write('sixth');
      container.rotate();
      container.write('seventh');
      await following.readTo(linesFrom(first));
    });

    test.each([
      [0, 0],
      [5, 5],
      [7, 7],
      [9, 9],
    ])('with the lines since second %i', async (second, first) => {
      const query = { sinceTime: { seconds: 1_800_000_000 + second, nanos: 0 } };
      const following = await follow({ query });
      for (const line of ['sixth', 'seventh']) container.write(line);
      await following.readTo(linesFrom(first));
    });

    function linesFrom(index: number): string {
      return container.written
        .split(/(?<=\n)/)
        .slice(index)
        .join('');
    }
  });

  describe('leaves no file open and watches nothing', () => {
    const watches = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
    const expectNothing = () => {
      expect({ files: container.openFiles, watches: watches(), timers: clock.pending }).toEqual({
        files: [],
        watches: 0,
        timers: 0,
      });
    };

    test('when it ends', async () => {
      const following = await follow({ isReported: true });
      container.write('first');
      container.rotate();
      container.removePod();
      await following.readToEnd();
      expectNothing();
    });

    test('when its reader leaves between two chunks', async () => {
      writeMuch();
      const following = await follow({ isReported: true });
      await following.take();
      container.rotate();
      await following.inspect();
      expect(container.openFiles).toHaveLength(2);
      await following.leave();
      expectNothing();
    });

    test('when it is stopped while it waits', async () => {
      const following = await follow({ isReported: true });
      const asked = following.ask();
      await following.inspect();
      following.abort();
      await asked;
      expect(following.end).toMatchObject({ error: { name: 'AbortError' } });
      expectNothing();
    });

    test('when it fails', async () => {
      const following = await follow({ isReported: true });
      rmSync(container.root, { recursive: true });
      await following.readToEnd();
      expect(following.end).toMatchObject({ error: { code: 'ENOENT' } });
      expectNothing();
    });
  });

  describe('of which the system reports changes', () => {
    test('has a line without a wait', async () => {
      const following = await follow({ isReported: true });
      container.write('first');
      // No time passes.
      await following.ask();
      expect(following.text).toBe(container.written);
    });

    test('finds a rotation without a wait', async () => {
      const following = await follow({ isReported: true });
      const asked = following.ask();
      container.rotate();
      // No time passes. It holds the file that it reads, and the new one.
      await expect.poll(() => container.openFiles).toEqual(['0.log', expect.stringMatching(/^0\.log\./)]);
      following.abort();
      await asked;
    });

    test('continues without reports, and says so', async () => {
      const error = new Error('too many watches');
      vi.spyOn(LocalFolder.prototype, 'watch').mockRejectedValueOnce(error);
      const following = await follow({ isReported: true });
      expect(following.unwatched).toEqual([error]);
      container.write('first');
      await following.readTo(container.written);
    });
  });
});
