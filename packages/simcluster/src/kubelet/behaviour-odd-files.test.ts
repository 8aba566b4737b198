import { appendFileSync, existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bodyOf, chunksOf, type NodeUnderTest, startNode } from '../../test/support/node-under-test.ts';
import type { ContainerRun } from './runtime.ts';

const LOG = '/api/v1/namespaces/lab/pods/odd/log';

let node: NodeUnderTest;
let run: ContainerRun;
beforeEach(() => {
  node = startNode();
  run = node.run('lab/odd');
});
afterEach(() => node.close());

const read = async (query = '') => (await bodyOf(await node.ask(`${LOG}${query}`))).toString();

it.each([
  ['no timestamp', 'hello world stdout F text'],
  ['a month that is none', '2026-13-21T10:00:00Z stdout F text'],
  ['an hour that is none', '2026-11-21T24:00:00Z stdout F text'],
  ['no zone', '2026-11-21T10:00:00 stdout F text'],
  ['an empty fraction', '2026-11-21T10:00:00.Z stdout F text'],
  ['an unknown stream', '2026-11-21T10:00:00Z stdin F text'],
  ['no tag', '2026-11-21T10:00:00Z stdout'],
  ['nothing behind the tag', '2026-11-21T10:00:00Z stdout F'],
  ['an empty line', ''],
])('skips a line with %s', async (_, line) => {
  writeFileSync(
    run.logFile,
    `2026-11-21T10:00:00Z stdout F one\n${line}\n2026-11-21T10:00:01Z stdout F two\n`,
  );
  expect(await read()).toBe('one\ntwo\n');
});

it('reads further tags after a colon', async () => {
  writeFileSync(run.logFile, '2026-11-21T10:00:00Z stdout P:x:y one \n2026-11-21T10:00:01Z stdout F:z two\n');
  expect(await read()).toBe('one two\n');
});

it('writes the zone of nothing as Z', async () => {
  writeFileSync(run.logFile, '2026-11-21T10:00:00.12+00:00 stdout F one\n');
  expect(await read('?timestamps=true')).toBe('2026-11-21T10:00:00.120000000Z one\n');
});

it('returns an entry without a newline unchanged, and a follow waits for the rest', async () => {
  writeFileSync(run.logFile, '2026-11-21T10:00:00Z stdout F one\n2026-11-21T10:00:01Z stdout F tw');
  expect(await read()).toBe('one\ntw');
  expect(await read('?limitBytes=5')).toBe('one\nt');
  const stop = new AbortController();
  const chunks = chunksOf(await node.ask(`${LOG}?follow=true`, stop.signal));
  expect(await chunks.next()).toBe('one\n');
  appendFileSync(run.logFile, 'o\n');
  node.runtime.write(run.containerId, { bytes: Buffer.from('three\n') });
  let text = '';
  while (text.length < 10) text += (await chunks.next()) ?? expect.fail('ended early');
  expect(text).toBe('two\nthree\n');
  stop.abort();
});

it('joins no prefix to the entry after a fragment that since has left out', async () => {
  writeFileSync(run.logFile, '2026-11-21T10:00:00Z stdout P old \n2026-11-21T10:00:09Z stdout F new\n');
  expect(await read('?timestamps=true&sinceTime=2026-11-21T10:00:05Z')).toBe('new\n');
});

it('keeps an entry of the last nanoseconds before since out', async () => {
  const last = '2026-11-21T10:00:00.999999999Z stdout F last\n';
  writeFileSync(run.logFile, `${last}2026-11-21T10:00:01Z stdout F first\n`);
  expect(await read('?sinceTime=2026-11-21T10:00:01Z')).toBe('first\n');
});

it('answers with an error as text for a file that is no log', async () => {
  writeFileSync(run.logFile, 'hello "world"\n2026-11-21T10:00:01Z stdout F one\n');
  expect(await read()).toBe('failed to get parse function: unsupported log format: "hello \\"world\\"\\n"');
  expect(await read('?tailLines=1')).toBe('one\n');
});

/** Returns the number of descriptors of this process that point at the log file. */
function openDescriptors(): number {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      // The descriptor of the listing itself no longer exists.
      return '';
    }
  });
  return links.filter((link) => link === run.logFile).length;
}

it.runIf(existsSync('/proc/self/fd'))('closes the file when the client goes away at any moment', async () => {
  writeFileSync(run.logFile, '2026-11-21T10:00:00Z stdout F one\n');
  for (const query of ['', '?follow=true']) {
    for (const chunksRead of [0, 1]) {
      const stop = new AbortController();
      const answer = await node.ask(`${LOG}${query}`, stop.signal);
      expect(openDescriptors()).toBe(1);
      const chunks = chunksOf(answer);
      if (chunksRead === 1) expect(await chunks.next()).toBe('one\n');
      stop.abort();
      await expect.poll(openDescriptors).toBe(0);
      expect(await chunks.next()).toBeUndefined();
    }
  }
});
