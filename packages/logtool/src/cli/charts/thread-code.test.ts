import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findThreadScripts } from '@logtool/kube/src/thread/thread-scripts.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chartThreadCode } from './thread-code.ts';

let home = '';
const named = (name: string) => findThreadScripts(() => join(home, name));
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'thread-code-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('keeps compiled code only for the same script', () => {
  const env = { XDG_CACHE_HOME: home };
  const script = { text: Buffer.from('exports.a = 1'), code: Buffer.from([1, 2, 3]) };
  named('chart-0123ABCD.cjs');
  expect(chartThreadCode(env)?.read()).toBeUndefined();
  chartThreadCode(env)?.write(script);
  expect(chartThreadCode(env)?.read()).toEqual(script);
  named('chart-0123ABCE.cjs');
  expect(chartThreadCode(env)?.read()).toBeUndefined();
});

it('keeps nothing if that is turned off, or if the name does not identify the content', () => {
  named('chart-0123ABCD.cjs');
  expect(chartThreadCode({ XDG_CACHE_HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' })).toBeUndefined();
  expect(chartThreadCode({ XDG_CACHE_HOME: 'relative' })).toBeUndefined();
  named('chart.cjs');
  expect(chartThreadCode({ XDG_CACHE_HOME: home })).toBeUndefined();
});
