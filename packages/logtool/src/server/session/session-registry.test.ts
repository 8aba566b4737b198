import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { MAX_SESSIONS, MAX_SESSIONS_OF_ONE, SessionRegistry } from './session-registry.ts';

function registryOf() {
  const clock = new FakeClock();
  const ended: string[] = [];
  const registry = new SessionRegistry(clock, ({ id }) => void ended.push(id));
  const add = (person: string, number: number) =>
    registry.add({
      id: `${person} ${number}`,
      pageToken: 't',
      person,
      expiresAtMs: clock.now() + 3_600_000,
    });
  return { clock, ended, registry, add };
}

test('the sessions of one person have a limit: their oldest ends, and nobody else is touched', () => {
  const { registry, add, ended } = registryOf();
  add('bob', 0);
  for (let number = 0; number <= MAX_SESSIONS_OF_ONE; number++) add('ann', number);
  expect(ended).toEqual(['ann 0']);
  expect(registry.find('bob 0')).toBeDefined();
});

test('when the server has no room for sessions, the person with most sessions makes it', () => {
  const { registry, add, ended } = registryOf();
  add('bob', 0);
  const people = MAX_SESSIONS / MAX_SESSIONS_OF_ONE;
  for (let person = 1; person < people; person++)
    for (let number = 0; number < MAX_SESSIONS_OF_ONE; number++) add(`ann-${person}`, number);
  for (let number = 0; number < MAX_SESSIONS_OF_ONE; number++) add('cyd', number);
  expect(registry.count).toBe(MAX_SESSIONS);
  expect(ended).toEqual(['ann-1 0']);
  add('dan', 0);
  expect(ended).toEqual(['ann-1 0', 'ann-2 0']);
  expect(registry.find('bob 0')).toBeDefined();
});

test('a session that ended leaves nothing of its person', () => {
  const { clock, registry, add, ended } = registryOf();
  for (let number = 0; number < MAX_SESSIONS_OF_ONE; number++) add('ann', number);
  registry.end('ann 7', 'signed-out');
  registry.end('ann 7', 'signed-out');
  add('ann', 100);
  expect(ended).toEqual(['ann 7']);
  registry.close();
  expect(clock.pending).toBe(0);
});
