import { expect, test } from 'vitest';
import { z } from 'zod';
import { LogFrame } from './log-frame.ts';

/** Returns the values that the document lists for a field name. */
function listed(field: string): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  JSON.stringify(z.toJSONSchema(LogFrame), (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'properties' in value) {
      const { [field]: property } = value.properties as Readonly<Record<string, { const?: unknown }>>;
      if (property?.const !== undefined) values.add(property.const);
    }
    return value;
  });
  return values;
}

test('lists every cause of a gap, notice and progress by its code', () => {
  const codes = listed('code');
  for (const code of ['rotated', 'pod-deleted', 'in-turns', 'no-pods', 'cluster-back', 'deleted-meanwhile'])
    expect(codes).toContain(code);
});

test('lists each state of a container', () => {
  expect([...listed('state')].sort()).toEqual([
    'failed',
    'finished',
    'joined',
    'left',
    'reconnected',
    'reconnecting',
    'restarted',
    'waiting',
  ]);
});

test('refuses a code with the data of another one', () => {
  const gap = { type: 'gap', q: 0, source: 0, cause: { code: 'pod-deleted', data: { during: 'cut' } } };
  expect(LogFrame.safeParse(gap).success).toBe(true);
  expect(LogFrame.safeParse({ ...gap, cause: { code: 'pod-deleted', data: {} } }).success).toBe(false);
});
