import { expect, test } from 'vitest';
import { WhenStill } from './when-still.ts';

/** A value that is reported to change every 50 ms, with a clock that only the test moves. */
function observed() {
  let nowMs = 0;
  let due: { readonly atMs: number; readonly run: () => void }[] = [];
  const state = { value: 'a' };
  const taken: string[] = [];
  const still = new WhenStill({
    read: () => state.value,
    take: (value) => taken.push(value),
    stillMs: 400,
    afterMs: (ms, run) => {
      const each = { atMs: nowMs + ms, run };
      due.push(each);
      return () => {
        due = due.filter((other) => other !== each);
      };
    },
  });
  const pass = (ms: number, reports = true) => {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 50) {
      if (reports) still.changed();
      const now = due.filter(({ atMs }) => atMs <= nowMs);
      due = due.filter((each) => !now.includes(each));
      for (const { run } of now) run();
    }
  };
  return { state, taken, still, pass };
}

test('a still value is passed on, however often a change is reported', () => {
  const { taken, pass } = observed();
  pass(500);
  expect(taken).toEqual(['a']);
});

test('a value that moves is passed on when it rests', () => {
  const { state, taken, pass } = observed();
  for (const value of ['b', 'c', 'd', 'e']) {
    state.value = value;
    pass(350);
  }
  expect(taken).toEqual([]);
  pass(500, false);
  expect(taken).toEqual(['e']);
});

test('nothing is passed on after the end', () => {
  const { taken, still, pass } = observed();
  pass(100);
  still.end();
  pass(500, false);
  expect(taken).toEqual([]);
});
