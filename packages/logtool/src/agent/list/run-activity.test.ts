import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LocalFolder } from '../files/local-folder.ts';
import type { Counted } from './minute-counts.ts';
import { RunActivity } from './run-activity.ts';

const KEY = 'shop/web/1/app/0';
const NULLS = (count: number) => Array.from({ length: count }, () => null);
const ZEROS = (count: number) => Array.from({ length: count }, () => 0);

let root: string;
let activity: RunActivity;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'logtool-activity-'));
  mkdirSync(join(root, 'app'));
  activity = new RunActivity('levels');
});
afterEach(() => rmSync(root, { recursive: true }));

const stamp = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:01.5Z`;
const line = (minute: number, text = 'text', tag = 'F') => `${stamp(minute)} stdout ${tag} ${text}\n`;
const file = (name: string) => join(root, 'app', name);
const append = (text: string | Buffer, name = '0.log') => writeFileSync(file(name), text, { flag: 'a' });
const folder = () => new LocalFolder(root, ['app'], new AbortController().signal);

/** Reads what is there now, as a scan sees it. */
function read(names: readonly string[] = ['0.log'], by = activity) {
  const files = names.map((name) => {
    const { ino, size: bytes } = statSync(file(name));
    return { name, ino, bytes, isCompressed: name.endsWith('.gz') };
  });
  return by.read(KEY, files, folder());
}

describe.runIf(existsSync('/proc/self/fd'))('the activity of a run', () => {
  test('counts lines and errors of each minute, and none where there was none', async () => {
    append(line(0) + line(0, 'level=error a') + line(2, 'level=warn b') + line(2, 'level=fatal c'));
    expect(await read()).toEqual({
      lastMinute: '2026-11-21T10:02:00Z',
      perMinute: [...ZEROS(27), 2, 0, 2],
      errorsPerMinute: [...ZEROS(27), 1, 0, 1],
    });
  });

  test('reads each byte once, and a line only when it is whole', async () => {
    const half = line(1).length - 4;
    append(line(0) + line(1).slice(0, half));
    expect((await read())?.perMinute.slice(-2)).toEqual([0, 1]);
    append(line(1).slice(half) + line(1));
    expect((await read())?.perMinute.slice(-2)).toEqual([1, 2]);
    expect((await read())?.perMinute.slice(-2)).toEqual([1, 2]);
  });

  test('counts a line of several entries once, with the level at its beginning', async () => {
    append(line(0, 'level=error begins', 'P') + line(0, 'goes on', 'P') + line(0, 'ends') + line(0));
    expect(await read()).toMatchObject({
      perMinute: [...ZEROS(29), 2],
      errorsPerMinute: [...ZEROS(29), 1],
    });
  });

  test('knows the offset of a zone, and counts no line without a stamp', async () => {
    append(`2026-11-21T12:05:01+02:00 stdout F text\nnonsense\n${line(5)}`);
    expect(await read()).toMatchObject({ lastMinute: '2026-11-21T10:05:00Z', perMinute: [...ZEROS(29), 2] });
  });

  test('counts no levels unless they are wanted', async () => {
    append(line(0, 'level=error a'));
    const counts = await read(['0.log'], new RunActivity('counts' satisfies Counted));
    expect(counts).toEqual({ lastMinute: '2026-11-21T10:00:00Z', perMinute: [...ZEROS(29), 1] });
  });

  test('forgets minutes that are older than half an hour', async () => {
    append(line(0) + line(1) + line(31));
    expect((await read())?.perMinute).toEqual([...ZEROS(29), 1]);
    append(line(1));
    expect((await read())?.perMinute).toEqual([...ZEROS(29), 1]);
  });

  test('loses no line over rotations', async () => {
    append(line(0));
    await read();
    append(line(0) + line(1));
    renameSync(file('0.log'), file('0.log.1'));
    append(line(1), '0.log.2');
    append(line(2));
    expect((await read(['0.log.1', '0.log.2', '0.log']))?.perMinute.slice(-3)).toEqual([2, 2, 1]);
    expect((await read(['0.log.1', '0.log.2', '0.log']))?.perMinute.slice(-3)).toEqual([2, 2, 1]);
  });

  test('knows nothing of the minutes before lines that it has not read', async () => {
    append(line(0));
    await read();
    append(line(0) + line(1));
    // Compressed before it was read to its end.
    writeFileSync(file('0.log.1.gz'), gzipSync(line(0)));
    rmSync(file('0.log'));
    writeFileSync(file('other'), 'x');
    append(line(2) + line(3));
    await read(['0.log.1.gz', '0.log']);
    expect((await read(['0.log.1.gz', '0.log']))?.perMinute).toEqual([...NULLS(29), 1]);
  });

  test('knows nothing of what was there before it, but the end of it', async () => {
    const long = line(0, 'x'.repeat(1000)).repeat(200);
    append(long + line(1) + line(2));
    expect((await read())?.perMinute).toEqual([...NULLS(28), 1, 1]);
    const older = new RunActivity('counts');
    append(line(9), '1.log.1');
    append(line(10) + line(11), '1.log');
    expect((await read(['1.log.1', '1.log'], older))?.perMinute).toEqual([...NULLS(29), 1]);
  });

  test('begins again in a file that was emptied', async () => {
    append(line(0) + line(0));
    await read();
    truncateSync(file('0.log'));
    append(line(1));
    await read();
    append(line(2));
    expect((await read())?.perMinute).toEqual([...NULLS(29), 1]);
  });

  test('leaves a gap where it is too far behind', async () => {
    append(line(0));
    await read();
    append(line(1, 'x'.repeat(1000)).repeat(17_000) + line(2) + line(3));
    await read();
    expect((await read())?.perMinute).toEqual([...NULLS(28), 1, 1]);
  });

  test('catches up over several scans, and loses nothing', async () => {
    append(line(0));
    await read();
    append(line(1, 'x'.repeat(1000)).repeat(9000) + line(2));
    for (let scan = 0; scan < 5; scan++) await read();
    expect((await read())?.perMinute.slice(-3)).toEqual([1, 9000, 1]);
  });

  test('forgets a run that is gone, and has none without a line', async () => {
    append('');
    expect(await read()).toBeUndefined();
    append(line(0));
    expect(await read()).toBeDefined();
    activity.keep(new Set());
    append(line(1));
    expect((await read())?.perMinute.slice(-2)).toEqual([1, 1]);
  });
});
