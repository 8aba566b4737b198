import { expect, test } from 'vitest';
import { showingThrown } from '../../../../test/support/helm/shown.ts';
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
  expect(showingThrown(() => checkHooks([hook, { ...hook, events: ['test'] }], LIMITS))).toThrow(
    expect.objectContaining({ code: 'template-limit', what: 'the hooks have more than 100 values' }),
  );
});

test('counts the text of all hooks together, in bytes', () => {
  const hook = hookOf(HEAD + textOf(600_000));
  checkHooks([hook], LIMITS);
  const refused = expect.objectContaining({
    code: 'template-limit',
    what: 'the hooks have more than 1 MiB of text',
  });
  expect(showingThrown(() => checkHooks([hook, hook], LIMITS))).toThrow(refused);
  expect(showingThrown(() => checkHooks([hookOf(`x: ${'ö'.repeat(600_000)}`)], LIMITS))).toThrow(refused);
});

test('also counts a hook that is no object of a cluster, and takes a small one: it may never run', () => {
  checkHooks([hookOf('kind: A\n', 'test'), hookOf('[1]', 'test')], LIMITS);
  expect(showingThrown(() => checkHooks([hookOf(listOf(101))], LIMITS))).toThrow(
    expect.objectContaining({ what: 'the hooks have more than 100 values' }),
  );
});
