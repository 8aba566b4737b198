import type { KubeClient, KubeObject, ListOptions } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../test/support/fake-client.ts';
import type { Fact } from '../domain/facts/fact.ts';
import { EventReader } from './event-reader.ts';
import { MAX_EVENTS } from './event-store.ts';
import type { FactNotice } from './fact-context.ts';
import { Scope } from './scope.ts';

const EVENTS = 30_000;

function event(index: number): KubeObject {
  const time = new Date(Date.parse('2026-11-21T10:00:00Z') + index * 1000).toISOString();
  return {
    metadata: { name: `e${index}`, namespace: 'shop', uid: `e${index}`, resourceVersion: String(index) },
    regarding: { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'web-1' },
    reason: 'BackOff',
    note: 'x'.repeat(500),
    deprecatedLastTimestamp: time,
  } as unknown as KubeObject;
}

/** Returns what a client keeps of each listed object while it reads the pages. */
function listed(
  { keep = (object) => object }: ListOptions = {},
  indexes = Array.from({ length: EVENTS }, (_, index) => index),
): readonly KubeObject[] {
  return indexes.map((index) => keep(event(index)));
}

async function read(client: KubeClient, follow: boolean) {
  const scope = new Scope();
  scope.addUid('web-1');
  const facts = new Map<string, Fact>();
  const notices: FactNotice[] = [];
  const reader = new EventReader(
    {
      client,
      signal: new AbortController().signal,
      follow,
      scope,
      give: (given) => {
        for (const fact of given) facts.set(fact.id, fact);
      },
      notice: (notice) => notices.push(notice),
      room: async () => {},
    },
    { namespaces: ['shop'] },
  );
  const firsts: string[] = [];
  await reader.run((first) => firsts.push(first));
  return { facts: [...facts.values()], notices, first: firsts[0] };
}

test('keeps only the newest events of a list that is too long, and reports it', async () => {
  let held: readonly KubeObject[] = [];
  const client = fakeClient({
    async *list(_type, _query, options) {
      held = listed(options);
      yield { items: held, resourceVersion: '1' };
    },
  });
  const { facts, notices, first } = await read(client, false);
  expect([first, facts.length]).toEqual(['read', MAX_EVENTS]);
  expect(notices).toEqual([{ code: 'facts-cut', data: { namespace: 'shop', kept: MAX_EVENTS } }]);
  expect(Object.keys(held[0] ?? {})).toEqual(['metadata']);
});

test('a follow keeps only the names of a list, and takes changes from a watch and from further lists', async () => {
  let held: readonly KubeObject[] = [];
  const client = fakeClient({
    async *reflect(_type, _query, options) {
      held = listed(options);
      yield { type: 'snapshot', objects: held };
      yield { type: 'changed', object: event(EVENTS) };
      const polled = options?.keep?.(event(EVENTS + 1)) ?? event(0);
      yield { type: 'changed', object: polled };
    },
  });
  const { facts, first } = await read(client, true);
  expect([first, facts.length]).toEqual(['read', MAX_EVENTS + 2]);
  expect(facts.map(({ id }) => id)).toEqual(
    expect.arrayContaining([`event/e${EVENTS}`, `event/e${EVENTS + 1}`]),
  );
  expect(JSON.stringify(held).length / EVENTS).toBeLessThan(120);
});

test('events that a new list does not have are gone', async () => {
  const scope = new Scope();
  const given: string[] = [];
  const client = fakeClient({
    async *reflect(_type, _query, options) {
      yield { type: 'snapshot', objects: listed(options, [1, 2]) };
      yield { type: 'snapshot', objects: listed(options, [2, 3]) };
    },
  });
  const context = {
    client,
    signal: new AbortController().signal,
    follow: true,
    scope,
    give: (facts: readonly Fact[]) => given.push(...facts.map(({ id }) => id)),
    notice: () => {},
    room: async () => {},
  };
  const reader = new EventReader(context, { namespaces: ['shop'] });
  await reader.run(() => {});
  scope.addUid('web-1');
  await reader.recheck();
  expect(given).toEqual(['event/e2', 'event/e3']);
});
