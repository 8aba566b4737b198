import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bodyOf,
  chunksOf,
  msOf,
  type NodeUnderTest,
  running,
  stamp,
  startNode,
} from '../../test/support/node-under-test.ts';
import type { ContainerRun } from './runtime.ts';

const LOG = '/api/v1/namespaces/lab/pods/web/log';

let node: NodeUnderTest;
let stop: AbortController;
beforeEach(() => {
  node = startNode({}, msOf('2026-11-21T10:00:00Z'));
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await node.close();
});

const say = (run: ContainerRun, text: string) =>
  node.runtime.write(run.containerId, { bytes: Buffer.from(text) });
const read = async (query = '') => (await bodyOf(await node.ask(`${LOG}${query}`))).toString();

describe('the files of a container', () => {
  it('lie as in /var/log/pods, one a run', () => {
    const first = node.run('lab/web');
    node.runtime.exit(first.containerId, 1);
    const second = node.run('lab/web', 'main', 1);
    const folder = join(node.directory, 'node-1/lab_web_uid-web/main');
    expect([first.logFile, second.logFile]).toEqual([join(folder, '0.log'), join(folder, '1.log')]);
    expect(readdirSync(folder).toSorted()).toEqual(['0.log', '1.log']);
    expect(first.containerId).toMatch(/^containerd:\/\/[0-9a-f]{64}$/);
    expect(second.containerId).not.toBe(first.containerId);
  });

  it('are only those of the present run and the one before', () => {
    const runs = [0, 1, 2, 3].map((count) => {
      const run = node.start('lab/web', 'main', count);
      if (count < 3) node.runtime.exit(run.containerId, 1);
      return run;
    });
    expect(runs.map((run) => existsSync(run.logFile))).toEqual([false, false, true, true]);
    expect(node.runtime.runs('uid-web', 'main').map((run) => run.restartCount)).toEqual([2, 3]);
  });

  it('go with their pod', () => {
    const run = node.run('lab/web');
    say(run, 'a line\n');
    node.runtime.rotate(run.containerId);
    node.runtime.removePod('uid-web');
    expect(readdirSync(join(node.directory, 'node-1'))).toEqual([]);
    expect(node.runtime.run(run.containerId)).toBeUndefined();
  });

  it('never leave the folder, whatever the names', () => {
    const identity = {
      node: 'node-1',
      namespace: 'lab',
      pod: 'web',
      podUid: 'u',
      container: 'main',
      restartCount: 0,
    };
    for (const wrong of [
      { pod: '../../etc' },
      { container: '..' },
      { node: 'a/b' },
      { namespace: '' },
      { restartCount: -1 },
    ]) {
      expect(() => node.runtime.startRun({ ...identity, ...wrong })).toThrow(RangeError);
    }
  });

  it('are written by one run at a time', () => {
    const run = node.run('lab/web');
    expect(() => node.start('lab/web', 'main', 1)).toThrow(/still runs/);
    node.runtime.exit(run.containerId, 0);
    expect(() => say(run, 'too late\n')).toThrow(/has ended/);
    expect(() => node.runtime.exit(run.containerId, 0)).toThrow(/has ended/);
    expect(() => node.runtime.rotate('containerd://nothing')).toThrow(/no node has/);
  });
});

describe('restarts', () => {
  it('show the old run, whole, until the status reports the new one', async () => {
    const first = node.run('lab/web');
    say(first, 'first\n');
    node.runtime.exit(first.containerId, 1);
    const second = node.start('lab/web', 'main', 1);
    say(second, 'second\n');
    expect(await read()).toBe('first\n');
    node.report('lab/web', 'main', running(second, first.containerId));
    expect([await read(), await read('?previous=true')]).toEqual(['second\n', 'first\n']);
  });

  it('answer with a text, and 200, for a removed run', async () => {
    const run = node.run('lab/web');
    node.runtime.exit(run.containerId, 0);
    node.runtime.removeRun(run.containerId);
    expect(await read()).toBe(`unable to retrieve container logs for ${run.containerId}`);
  });

  it("end a follow after the final lines, at the kubelet's next check, and not before", async () => {
    const run = node.run('lab/web');
    const chunks = chunksOf(await node.ask(`${LOG}?follow=true`, stop.signal));
    say(run, 'last words without newline');
    node.runtime.exit(run.containerId, 1);
    expect(await chunks.next()).toBe('last words without newline');
    let ended = false;
    const end = chunks.next().then((chunk) => {
      ended = chunk === undefined;
    });
    await node.clock.advance(999);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ended).toBe(false);
    await node.clock.advance(1);
    await end;
    expect(ended).toBe(true);
  });
});

describe('nodes', () => {
  it('go through down, starting and up with their kubelet', async () => {
    const run = node.run('lab/web');
    say(run, 'a line\n');
    node.runtime.kubeletDown('node-1');
    const message =
      'Get "https://node-1:10250/containerLogs/lab/web/main?limitBytes=9&sinceTime=2026-11-21T09%3A00%3A00Z&tailLines=1&timestamps=true": dial tcp 127.0.0.1:10250: connect: connection refused';
    const query = '?tailLines=1&timestamps=true&limitBytes=9&sinceTime=2026-11-21T09:00:00Z';
    expect(await node.ask(`${LOG}${query}`)).toEqual({ kind: 'status', code: 500, message });
    say(run, 'written meanwhile\n');
    node.runtime.kubeletUp('node-1', 2000);
    expect(await node.ask(LOG)).toMatchObject({ kind: 'status', code: 404 });
    await node.clock.advance(2000);
    expect(await read()).toBe('a line\nwritten meanwhile\n');
  });

  it('end every follow when the kubelet stops, and no others', async () => {
    node.run('lab/web');
    const elsewhere = {
      node: 'node-2',
      namespace: 'lab',
      pod: 'far',
      podUid: 'uid-far',
      container: 'main',
      restartCount: 0,
    };
    const far = node.runtime.startRun(elsewhere);
    node.setPod('lab/far', { spec: { nodeName: 'node-2' } });
    node.report('lab/far', 'main', running(far));
    const here = chunksOf(await node.ask(`${LOG}?follow=true`, stop.signal));
    const there = chunksOf(await node.ask('/api/v1/namespaces/lab/pods/far/log?follow=true', stop.signal));
    node.runtime.kubeletDown('node-1');
    expect(await here.next()).toBeUndefined();
    say(far, 'still here\n');
    expect(await there.next()).toBe('still here\n');
  });

  it('hold output in the pipes while the runtime is down, and no more than a pipe holds', async () => {
    const run = node.run('lab/web');
    node.runtime.runtimeDown('node-1');
    const line = Buffer.from(`${'x'.repeat(1023)}\n`);
    let taken = 0;
    while (node.runtime.write(run.containerId, { bytes: line })) taken += 1;
    expect(taken).toBe(64);
    expect(readFileSync(run.logFile).length).toBe(0);
    expect(await read()).toBe(`unable to retrieve container logs for ${run.containerId}`);
    await node.clock.advance(5000);
    node.runtime.runtimeUp('node-1');
    expect(await read()).toBe(`unable to retrieve container logs for ${run.containerId}`);
    await node.clock.advance(1000);
    const stamped = (await read('?timestamps=true')).split('\n').slice(0, -1);
    expect(stamped).toHaveLength(64);
    expect(stamped.every((text) => text.startsWith('2026-11-21T10:00:05.'))).toBe(true);
  });

  it('let a backfill wait for the runtime, and an abort end the wait', async () => {
    const run = node.run('lab/web');
    node.runtime.runtimeDown('node-1');
    const outputs = Array.from({ length: 100 }, () => ({ bytes: Buffer.from(`${'x'.repeat(1023)}\n`) }));
    const filled = node.runtime.backfill(run.containerId, outputs);
    const given = node.runtime.backfill(run.containerId, outputs, stop.signal);
    stop.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    node.runtime.runtimeUp('node-1', 0);
    await filled;
    expect((await read()).length).toBe(100 * 1024);
  });

  it('die with what was not in the files', async () => {
    const run = node.run('lab/web');
    say(run, 'a line\nhalf a line');
    node.runtime.nodeDown('node-1');
    expect(node.runtime.run(run.containerId)?.exit?.code).toBe(137);
    expect(await node.ask(LOG)).toMatchObject({ code: 500 });
    node.runtime.nodeUp('node-1');
    await node.clock.advance(2000);
    expect(await read()).toBe('a line\n');
  });

  it('change the zone of later entries', async () => {
    const run = node.run('lab/web');
    const at = stamp('2026-11-21T23:30:00.5Z');
    node.runtime.append(run.containerId, { bytes: Buffer.from('one'), at });
    node.runtime.setTimeZone('node-1', -210);
    node.runtime.append(run.containerId, { bytes: Buffer.from('two'), at });
    node.runtime.setTimeZone('node-1', 330);
    node.runtime.append(run.containerId, { bytes: Buffer.from('three'), at });
    expect(await read('?timestamps=true')).toBe(
      '2026-11-21T23:30:00.500000000Z one\n2026-11-21T20:00:00.500000000-03:30 two\n2026-11-22T05:00:00.500000000+05:30 three\n',
    );
    expect(readFileSync(run.logFile, 'utf8')).toContain('2026-11-22T05:00:00.5+05:30 stdout F three\n');
    expect(await read('?sinceTime=2026-11-21T23:30:01Z')).toBe('');
    expect(await read('?sinceTime=2026-11-21T23:30:00Z')).toBe('one\ntwo\nthree\n');
  });
});

describe('a log that was deleted by hand', () => {
  it('keeps writing to the deleted file until a rotation makes a new one', async () => {
    const run = node.run('lab/web');
    const chunks = chunksOf(await node.ask(`${LOG}?follow=true`, stop.signal));
    node.runtime.deleteLogFile(run.containerId);
    say(run, 'into the deleted file\n');
    expect(await chunks.next()).toBe('into the deleted file\n');
    expect(await read()).toMatch(
      /^failed to try resolving symlinks in path "\/var\/log\/pods\/lab_web_uid-web\/main\/0.log": lstat /,
    );
    node.runtime.rotate(run.containerId);
    say(run, 'into the new one\n');
    expect(await read()).toBe('into the new one\n');
    expect(await chunks.next()).toBe('into the new one\n');
    expect(readdirSync(dirname(run.logFile))).toEqual(['0.log']);
  });
});

describe('timestamps that the runtime draws', () => {
  it('rise, and are the same for the same seed', async () => {
    const texts: string[] = [];
    for (let time = 0; time < 2; time++) {
      const run = node.run('lab/web');
      for (let line = 0; line < 200; line++) say(run, `${line}\n`);
      texts.push(await read('?timestamps=true'));
      node.runtime.removePod('uid-web');
    }
    expect(texts[0]).toBe(texts[1]);
    const stamps = texts[0]?.match(/^\S+/gm) ?? [];
    expect(stamps).toHaveLength(200);
    expect(new Set(stamps).size).toBe(200);
    expect(stamps.toSorted()).toEqual(stamps);
    expect(stamps[0]).toMatch(/^2026-11-21T10:00:00\.000/);
  });
});
