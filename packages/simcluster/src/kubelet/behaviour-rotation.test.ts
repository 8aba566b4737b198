import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, chunksOf, msOf, type NodeUnderTest, startNode } from '../../test/support/node-under-test.ts';
import type { ContainerRun } from './runtime.ts';

const LINE = Buffer.from(`${'a'.repeat(99)}\n`);
const LOG = '/api/v1/namespaces/lab/pods/rotator/log';

let node: NodeUnderTest;
let run: ContainerRun;
beforeEach(() => {
  node = startNode({ maxBytes: 1000, maxFiles: 5 }, msOf('2026-11-21T02:06:13Z'));
  run = node.run('lab/rotator');
});
afterEach(() => node.close());

const files = () => readdirSync(dirname(run.logFile)).toSorted();
const write = (text: string | Buffer = LINE) =>
  node.runtime.write(run.containerId, { bytes: Buffer.from(text) });

describe('rotation', () => {
  it('leaves the newest file, one rotated plain file and three compressed ones, as on a real node', async () => {
    for (let round = 0; round < 7; round++) {
      write(`round ${round}\n`);
      node.runtime.rotate(run.containerId);
      await node.clock.advance(10_000);
    }
    await node.runtime.idle();
    expect(files()).toEqual([
      '0.log',
      '0.log.20261121-020643.gz',
      '0.log.20261121-020653.gz',
      '0.log.20261121-020703.gz',
      '0.log.20261121-020713',
    ]);
    const folder = dirname(run.logFile);
    expect(gunzipSync(readFileSync(`${folder}/0.log.20261121-020653.gz`)).toString()).toContain(
      'stdout F round 4\n',
    );
    expect(readFileSync(`${folder}/0.log.20261121-020713`, 'utf8')).toContain('stdout F round 6\n');
    expect(statSync(run.logFile).size).toBe(0);
  });

  it('comes with the look of the kubelet after the size was passed, even when the container fell silent', async () => {
    for (let line = 0; line < 12; line++) write();
    expect(files()).toEqual(['0.log']);
    await node.clock.advance(6_999);
    expect(files()).toEqual(['0.log']);
    await node.clock.advance(1);
    expect(files()).toEqual(['0.log', '0.log.20261121-020620']);
    expect((await bodyOf(await node.ask(LOG))).toString()).toBe('');
  });

  it('does not come for a file that stays small', async () => {
    for (let line = 0; line < 7; line++) write();
    await node.clock.advance(60_000);
    expect(files()).toEqual(['0.log']);
  });

  it('does not come for a container that has ended', async () => {
    for (let line = 0; line < 12; line++) write();
    node.runtime.exit(run.containerId, 0);
    await node.clock.advance(60_000);
    expect(files()).toEqual(['0.log']);
  });

  it('happens in the time of the entries while history is written', async () => {
    const start = msOf('2026-11-21T01:00:00Z') / 1000;
    function* history() {
      for (let second = 0; second < 60; second++) {
        yield { bytes: LINE, at: { seconds: start + second, nanos: 0 } };
      }
    }
    await node.runtime.backfill(run.containerId, history());
    await node.runtime.idle();
    // 8 lines exceed the size. At the checks at 01:00:10, :20 and so on, the file has 10 lines.
    expect(files().map((file) => file.replace('.gz', ''))).toEqual([
      '0.log',
      '0.log.20261121-010020',
      '0.log.20261121-010030',
      '0.log.20261121-010040',
      '0.log.20261121-010050',
    ]);
    expect(readFileSync(run.logFile, 'utf8').split('\n')[0]).toContain('2026-11-21T01:00:50Z');
  });

  it('names files in the zone of the node', () => {
    node.runtime.setTimeZone('node-1', 330);
    write();
    node.runtime.rotate(run.containerId);
    expect(files()).toEqual(['0.log', '0.log.20261121-073613']);
  });

  it('keeps both files of two rotations in one second', () => {
    write('first\n');
    node.runtime.rotate(run.containerId);
    write('second\n');
    node.runtime.rotate(run.containerId);
    expect(files()).toHaveLength(3);
  });
});

describe('a follow over rotations', () => {
  it('loses nothing of a slow writer', async () => {
    const stop = new AbortController();
    const chunks = chunksOf(await node.ask(`${LOG}?follow=true`, stop.signal));
    for (let line = 0; line < 30; line++) {
      write(`line ${line}\n`);
      if (line % 5 === 4) node.runtime.rotate(run.containerId);
      expect(await chunks.next()).toBe(`line ${line}\n`);
    }
    stop.abort();
  });

  it('reads what it had not read before the rename, also when that file is compressed meanwhile', async () => {
    const stop = new AbortController();
    const chunks = chunksOf(await node.ask(`${LOG}?follow=true`, stop.signal));
    write('before 1\nbefore 2\n');
    node.runtime.rotate(run.containerId);
    node.runtime.rotate(run.containerId);
    await node.runtime.idle();
    write('after\n');
    expect(await chunks.next()).toBe('before 1\nbefore 2\n');
    expect(await chunks.next()).toBe('after\n');
    stop.abort();
  });

  it('loses the entries that the runtime still wrote to the old file', async () => {
    await node.close();
    node = startNode({ lostEntries: 2 });
    run = node.run('lab/rotator');
    const stop = new AbortController();
    const chunks = chunksOf(await node.ask(`${LOG}?follow=true`, stop.signal));
    write('line 1\n');
    expect(await chunks.next()).toBe('line 1\n');
    node.runtime.rotate(run.containerId);
    for (const line of [2, 3, 4]) write(`line ${line}\n`);
    expect(await chunks.next()).toBe('line 4\n');
    expect((await bodyOf(await node.ask(LOG))).toString()).toBe('line 4\n');
    const [rotated = ''] = files().filter((file) => file !== basename(run.logFile));
    const old = readFileSync(`${dirname(run.logFile)}/${rotated}`, 'utf8');
    expect(old.match(/line \d/g)).toEqual(['line 1', 'line 2', 'line 3']);
    stop.abort();
  });
});
