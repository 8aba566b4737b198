import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { portableTests, testsBesideCode } from '../../../scripts/run/portable-tests.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A test of values only, one of files, and one that compares with the real kubectl. */
const PURE = 'packages/logtool/src/domain/time-point.test.ts';
const FILES = 'packages/logtool/src/start/embedded-files.test.ts';
const ORACLE = 'packages/helm/src/json/behaviour-json.parity.test.ts';

test('tests of values run everywhere, those of files on macOS, those with oracles on neither', async () => {
  const all = testsBesideCode(ROOT);
  expect(all).toEqual(expect.arrayContaining([PURE, FILES, ORACLE]));
  expect(await portableTests(ROOT, [PURE, FILES, ORACLE], 'darwin')).toEqual([PURE, FILES]);
  expect(await portableTests(ROOT, [PURE, FILES, ORACLE], 'win32')).toEqual([PURE]);
});
