import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FUNCTIONS } from '@logtool/helm/src/functions/table.ts';
import { expect, it } from 'vitest';
import { FUNCTION_NAMES } from './cases/functions.ts';

// That these are all of them, the real helms say of each name: see the family `functions` of parity.test.ts.
it('has every function that helm has, and no other', () => {
  expect([...FUNCTIONS.keys()].sort()).toEqual([...FUNCTION_NAMES].sort());
});

it('has as many functions as the README says', async () => {
  const text = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(text).toContain(`all ${FUNCTIONS.size} functions`);
});
