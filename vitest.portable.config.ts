import { defineConfig } from 'vitest/config';

/** Set by scripts/run/test-portable.mjs. */
const files: readonly string[] = JSON.parse(process.env.LOGTOOL_TEST_FILES ?? '[]');

/** The tests that need no oracle: nothing is unpacked before them. */
export default defineConfig({
  test: {
    include: [...files],
    // Time limits guard against hangs only: nothing asserts how long a thing takes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
