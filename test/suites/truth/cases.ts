import fc from 'fast-check';
import type { FakeFault } from '../../support/engine/fake-cluster.ts';
import { checkClaims } from './claims.ts';
import { type Step, step, take } from './steps.ts';
import { type Shape, WrittenWorld } from './written-world.ts';

/* Random worlds, and what happens while a page is open on them. */

const fault: fc.Arbitrary<FakeFault | undefined> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant({ kind: 'status' as const, status: 500 }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('reset' as const, 'clean-end' as const),
      afterBytes: fc.integer({ min: 0, max: 9_000 }),
    }),
  },
);
/** Most logs are whole. */
const mostly = <T>(usual: T, other: fc.Arbitrary<T>, weight = 4): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

export const shape: fc.Arbitrary<Shape> = fc.record({
  pods: fc.array(
    fc.record({
      lines: fc.oneof(
        { weight: 3, arbitrary: fc.nat(120) },
        { weight: 1, arbitrary: fc.integer({ min: 900, max: 3_000 }) },
      ),
      seed: fc.nat(),
      errorEvery: fc.integer({ min: 2, max: 400 }),
      warnEvery: fc.integer({ min: 2, max: 60 }),
      startMs: fc.integer({ min: 0, max: 600_000 }),
      earlier: fc.constantFrom(0, 0, 30, 90),
      gone: mostly(0, fc.integer({ min: 1, max: 9 })),
      isEarlierGone: mostly(false, fc.constant(true), 9),
      rotated: mostly(0, fc.integer({ min: 1, max: 99 })),
      isBetween: mostly(false, fc.constant(true), 9),
      traceEvery: fc.constantFrom(2, 3, 7, 1_000_000),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  faults: fc.array(fault, { maxLength: 8 }),
  refused: mostly<number | undefined>(undefined, fc.nat(2), 5),
  stalled: mostly<number | undefined>(undefined, fc.nat(2)),
  maxLines: fc.constantFrom(6_000, 1_000_000),
  grouping: mostly(true, fc.constant(false)),
});

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 1, maxLength: 8 });

/** Plays a case. Throws if a statement of the page is false. */
export async function play(shape: Shape, steps: readonly Step[]): Promise<void> {
  const world = new WrittenWorld(shape);
  try {
    await world.open();
    await checkClaims(world);
    for (const each of steps) {
      await take(world, each);
      await checkClaims(world);
    }
  } finally {
    world.close();
  }
}
