import fc from 'fast-check';
import { test } from 'vitest';
import { seeded } from '../../support/engine/search-logs.ts';
import { play, shape, steps } from './cases.ts';

/* Every statement of the page is true, for any logs, range, filters, loaded lines, lost lines and faults. */

/**
 * Runs the same cases each time, so that a change is judged by itself; LOGTOOL_CASES runs that many others, and LOGTOOL_SEED
 * beside it repeats those of a failure.
 */
const { LOGTOOL_CASES } = process.env;
const CASES = Number(LOGTOOL_CASES ?? 100);
const isFixed = LOGTOOL_CASES === undefined;
const MS_A_CASE = 10_000;

test(
  'no count, chart, facet, "next", "beginning" or "nothing" differs from what was written',
  { timeout: CASES * MS_A_CASE },
  () =>
    fc.assert(fc.asyncProperty(shape, steps, play), {
      ...seeded(CASES),
      ...(isFixed ? { seed: 7 } : {}),
    }),
);
