import { expect, test } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import type { Hook, HookEvent } from '../release/release.ts';
import { checkHooks } from './check-hooks.ts';

const LIMITS = { textMiB: 1, values: 100 };
const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const hookOf = (manifest: string, event: HookEvent = 'pre-install') =>
  ({ manifest, events: [event] }) as unknown as Hook;
const listOf = (count: number) => `x: [${'1,'.repeat(count)}]\n`;
const textOf = (bytes: number) => `x: ${'x'.repeat(bytes)}\n`;

test('counts the values of all hooks together, whatever their events', () => {
  const hook = hookOf(HEAD + listOf(60));
  checkHooks([hook], LIMITS);
  expect(() => checkHooks([hook, { ...hook, events: ['test'] }], LIMITS)).toThrow(
    helmFailed('template-limit', { of: 'hook-values', max: 100 }),
  );
});

test('counts the text of all hooks together, in bytes', () => {
  const hook = hookOf(HEAD + textOf(600_000));
  checkHooks([hook], LIMITS);
  const refused = helmFailed('template-limit', { of: 'hook-text', maxMiB: 1 });
  expect(() => checkHooks([hook, hook], LIMITS)).toThrow(refused);
  expect(() => checkHooks([hookOf(`x: ${'ö'.repeat(600_000)}`)], LIMITS)).toThrow(refused);
});

test('also counts a hook that is no object of a cluster, and takes a small one: it may never run', () => {
  checkHooks([hookOf('kind: A\n', 'test'), hookOf('[1]', 'test')], LIMITS);
  expect(() => checkHooks([hookOf(listOf(101))], LIMITS)).toThrow(
    helmFailed('template-limit', { of: 'hook-values', max: 100 }),
  );
});
