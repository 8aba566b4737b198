import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptAnswers } from './kept-answers.ts';

const ANSWER = [{ value: 'web', meaning: 'Pod' }, { value: 'db' }];
let home = '';
let directory = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'kept-'));
  directory = join(home, 'logtool', 'completion');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('keeps an answer for a few seconds, only for the same question, readable only by its owner', () => {
  let nowMs = Date.now();
  const kept = keptAnswers(directory, () => nowMs);
  expect(kept.read(['a', 'b'])).toBeUndefined();
  kept.write(['a', 'b'], ANSWER);
  expect(kept.read(['a', 'b'])).toEqual(ANSWER);
  expect(kept.read(['a,b'])).toBeUndefined();
  nowMs += 5000;
  expect(kept.read(['a', 'b'])).toEqual(ANSWER);
  nowMs += 1;
  expect(kept.read(['a', 'b'])).toBeUndefined();
  nowMs -= 10_000;
  expect(kept.read(['a', 'b'])).toBeUndefined();
  const [file = ''] = readdirSync(directory);
  expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(directory, file), 'utf8')).not.toContain('"a"');
});

it('takes nothing from a directory that others may write to, and nothing that it did not write', () => {
  const kept = keptAnswers(directory, Date.now);
  kept.write(['q'], ANSWER);
  const [file = ''] = readdirSync(directory);
  for (const text of ['', '{', 'null', '[]', '{"atMs":1}', `{"atMs":${Date.now()},"answer":[{"value":1}]}`]) {
    writeFileSync(join(directory, file), text);
    expect(kept.read(['q'])).toBeUndefined();
  }
  kept.write(['q'], ANSWER);
  expect(kept.read(['q'])).toEqual(ANSWER);
  chmodSync(directory, 0o777);
  expect(kept.read(['q'])).toBeUndefined();
  kept.write(['other'], ANSWER);
  expect(readdirSync(directory)).toEqual([file]);
});

it('removes what is old, and does without a place', () => {
  const kept = keptAnswers(directory, Date.now);
  kept.write(['old'], ANSWER);
  const [file = ''] = readdirSync(directory);
  const longAgo = Date.now() / 1000 - 61;
  utimesSync(join(directory, file), longAgo, longAgo);
  kept.write(['new'], ANSWER);
  expect(readdirSync(directory)).toHaveLength(1);
  expect(readdirSync(directory)).not.toContain(file);
  mkdirSync(join(home, 'file'));
  writeFileSync(join(home, 'file', 'completion'), '');
  for (const folder of [undefined, join(home, 'file', 'completion', 'below')]) {
    const none = keptAnswers(folder, Date.now);
    none.write(['q'], ANSWER);
    expect(none.read(['q'])).toBeUndefined();
  }
});
