import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { msOf, type NodeUnderTest, stamp, startNode } from '../../test/support/node-under-test.ts';
import type { StreamName } from './runtime.ts';

const RECORDED = join(import.meta.dirname, '../../../../test/recorded/cri-files');
/** Files of a node, and whether their container has ended (its last entry may then be an unterminated line). */
const FILES: readonly (readonly [file: string, ended: boolean, zoneMinutes: number])[] = [
  ['quiet/0.log', false, 0],
  ['odd/0.log', false, 0],
  ['odd-exit/0.log', true, 0],
  ['interleave/0.log', true, 0],
  ['restarted/0.log', true, 0],
  ['restarted/1.log', false, 0],
  ['rotated/0.log', false, 0],
  ['rotated/0.log.20261121-020640', false, 0],
  ['time-zone/0.log', true, 330],
];

interface Entry {
  readonly at: string;
  readonly stream: StreamName;
  readonly partial: boolean;
  readonly message: Buffer;
}

/** Parses a file with regular expressions on latin1 text. For this test only. */
function parseFile(file: Buffer): Entry[] {
  const lines = file.toString('latin1').split('\n').slice(0, -1);
  return lines.map((line) => {
    const match = /^(\S+) (stdout|stderr) ([PF]) (.*)$/s.exec(line);
    if (match === null) throw new Error(`no entry: ${line.slice(0, 80)}`);
    const [, at = '', stream = '', tag, message = ''] = match;
    const name = stream === 'stderr' ? 'stderr' : 'stdout';
    return { at, stream: name, partial: tag === 'P', message: Buffer.from(message, 'latin1') };
  });
}

let node: NodeUnderTest;
beforeEach(() => {
  node = startNode({}, msOf('2026-11-21T12:00:00Z'));
});
afterEach(() => node.close());

it.each(FILES)('writes %s byte for byte from what the process wrote', (name, ended, zoneMinutes) => {
  const recorded = readFileSync(join(RECORDED, name));
  node.runtime.setTimeZone('node-1', zoneMinutes);
  const run = node.start('lab/writer');
  const entries = parseFile(recorded);
  // The runtime writes a fragment only once the process has written more than 16 KiB, so write the byte after it too.
  const ahead = { stdout: 0, stderr: 0 };
  entries.forEach((entry, index) => {
    const { stream, partial } = entry;
    const at = stamp(entry.at);
    const own = entry.message.subarray(ahead[stream]);
    const next = partial ? entries.slice(index + 1).find((later) => later.stream === stream) : undefined;
    ahead[stream] = next === undefined ? 0 : 1;
    const end = partial ? (next?.message.subarray(0, 1) ?? Buffer.alloc(0)) : Buffer.from('\n');
    node.runtime.write(run.containerId, { bytes: Buffer.concat([own, end]), stream, at });
    const isLast = index === entries.length - 1;
    if (isLast && ended) node.runtime.exit(run.containerId, 0, at);
  });
  return node.runtime.idle().then(() => {
    const written = readFileSync(run.logFile);
    expect(written.equals(recorded), firstDifference(written, recorded)).toBe(true);
  });
});

function firstDifference(a: Buffer, b: Buffer): string {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return `at byte ${at}: ${a.subarray(at - 20, at + 60)} instead of ${b.subarray(at - 20, at + 60)}`;
}
