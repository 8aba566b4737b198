import { afterEach, expect, test, vi } from 'vitest';
import { StoredByContext } from './stored-list.ts';

afterEach(() => vi.unstubAllGlobals());

function storage(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  return kept;
}
const isNumber = (value: unknown): value is number => typeof value === 'number';

test('keeps a value for each of the last twenty contexts, and reports a change', () => {
  storage();
  const stored = new StoredByContext('test', isNumber);
  const heard = vi.fn();
  const end = stored.list.subscribe(heard);
  for (let context = 0; context < 25; context++) stored.set(`c${context}`, context);
  stored.set('c10', 100);
  expect(heard).toHaveBeenCalledTimes(26);
  expect([stored.of('c24'), stored.of('c10'), stored.of('c4'), stored.of(undefined)]).toEqual([
    24,
    100,
    undefined,
    undefined,
  ]);
  end();
  stored.set('c1', 1);
  expect(heard).toHaveBeenCalledTimes(26);
});

test('the list is the same until it changes, and of a broken one only what is whole is read', () => {
  const kept = storage();
  const stored = new StoredByContext('test', isNumber);
  kept.set('logtool.test', '[["a",1],["b","x"],3,["c",2]]');
  expect(stored.list.read()).toEqual([
    ['a', 1],
    ['c', 2],
  ]);
  expect(stored.list.read()).toBe(stored.list.read());
  kept.set('logtool.test', '{');
  expect(stored.list.read()).toEqual([]);
});

test('without a storage nothing is kept, and nothing fails', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('forbidden');
    },
    setItem: () => {
      throw new Error('full');
    },
  });
  const stored = new StoredByContext('test', isNumber);
  stored.set('a', 1);
  expect(stored.of('a')).toBeUndefined();
});
