import { expect, test } from 'vitest';
import { FramePump } from './frame-pump.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

function pumped(count: number, bytes: number) {
  const state = { taken: 0, isOver: false, wakes: 0 };
  const pump = new FramePump(
    async function* (signal) {
      try {
        for (; state.taken < count; state.taken++) {
          if (signal.aborted) return;
          yield { text: 'x'.repeat(bytes) };
        }
      } finally {
        state.isOver = true;
      }
    },
    () => state.wakes++,
  );
  return { pump, state };
}

test('gives every frame as a line, and then ends', async () => {
  const { pump, state } = pumped(3, 1);
  await tick();
  const lines = [pump.take(), pump.take(), pump.take(), pump.take()];
  expect(lines.map((piece) => piece && new TextDecoder().decode(piece))).toEqual([
    '{"text":"x"}\n',
    '{"text":"x"}\n',
    '{"text":"x"}\n',
    undefined,
  ]);
  expect(pump.ended).toBe(true);
  expect(state.wakes).toBeGreaterThan(3);
});

test('takes no more frames than a quarter of a megabyte that nobody reads', async () => {
  const { pump, state } = pumped(1_000, 64 * 1024);
  await tick();
  expect(state.taken).toBeLessThan(5);
  for (let read = 0; read < 10; read++) {
    expect(pump.take()).toBeDefined();
    await tick();
  }
  expect(state.taken).toBeLessThan(15);
  expect(pump.ended).toBe(false);
});

test('ends its source when the reader has left, also while it waits for room', async () => {
  const { pump, state } = pumped(1_000, 64 * 1024);
  await tick();
  pump.close();
  await tick();
  expect(state.isOver).toBe(true);
});
