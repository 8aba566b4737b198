import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Compressor, RotatedFiles } from './rotated-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rotated-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('leaves nothing half compressed of files that are removed at any moment of their compression', async () => {
  const compressor = new Compressor();
  const newest = join(folder, '0.log');
  for (let round = 0; round < 200; round++) {
    const rotated = new RotatedFiles(4, compressor);
    for (let second = 0; second < 2; second++) {
      writeFileSync(newest, `round ${round}\n`);
      rotated.rotate(newest, (round * 10 + second) * 1_000, 0);
    }
    // The compression of the first one has begun, and is at a different step each time.
    for (let step = 0; step < round % 10; step++) await Promise.resolve();
    if (round % 3 === 0) await setImmediate();
    rotated.removeAll();
  }
  await compressor.idle();
  expect(readdirSync(folder)).toEqual([]);
});
