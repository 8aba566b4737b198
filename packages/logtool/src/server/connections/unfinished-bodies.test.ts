import { expect, test } from 'vitest';
import { MAX_UNFINISHED, MAX_UNFINISHED_OF_ONE, UnfinishedBodies } from './unfinished-bodies.ts';

const KIB = 1024;

function beginMany(bodies: UnfinishedBodies, owner: string, count: number, size: number) {
  return Array.from({ length: count }, () => {
    const body = bodies.begin(owner);
    body.add(size);
    return body;
  });
}

test('a client that sends too much at once loses its oldest bodies, and others none', () => {
  const bodies = new UnfinishedBodies();
  const [good] = beginMany(bodies, 'address 203.0.113.1', 1, KIB);
  const bad = beginMany(bodies, 'address 203.0.113.66', 3_000, 16 * KIB);
  const left = bad.filter(({ signal }) => !signal.aborted);
  expect(left).toEqual(bad.slice(-MAX_UNFINISHED_OF_ONE / (16 * KIB)));
  expect(bad[0]?.signal.reason).toMatchObject({ code: 'too-many-bodies' });
  expect(good?.signal.aborted).toBe(false);
  expect(bodies.size).toBe(MAX_UNFINISHED_OF_ONE + KIB);
});

test('when many together send too much, the largest sender loses its oldest', () => {
  const bodies = new UnfinishedBodies();
  const good = beginMany(bodies, 'user ann', 4, 256 * KIB);
  const bad = Array.from({ length: 12 }, (_, person) => beginMany(bodies, `user ${person}`, 8, 256 * KIB));
  expect(bodies.size).toBeLessThanOrEqual(MAX_UNFINISHED);
  expect(good.filter(({ signal }) => signal.aborted)).toEqual([]);
  for (const own of bad) expect(own.filter(({ signal }) => !signal.aborted).length).toBeGreaterThan(1);
});

test('bodies that have arrived, or were cut, count no more', () => {
  const bodies = new UnfinishedBodies();
  const all = beginMany(bodies, 'user ann', 20, 256 * KIB);
  for (const body of all) {
    body.add(1);
    body.end();
    body.end();
  }
  expect(bodies.size).toBe(0);
});
