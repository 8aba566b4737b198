import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';

const FOLDER = resolve(import.meta.dirname, '../../golden/cli');

/** Compares with test/golden/cli/NAME, with visible escapes; UPDATE_GOLDEN=1 writes the file instead. */
export function expectGolden(name: string, text: string): void {
  const path = join(FOLDER, name);
  const shown = text.replaceAll('\x1b', '\\e').replaceAll('\r', '\\r');
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, shown);
  }
  expect(shown).toBe(readFileSync(path, 'utf8'));
}
