import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Every core: left to itself vitest keeps one free, which on two cores is half of them.
    maxWorkers: availableParallelism(),
    // Time limits guard against hangs only: nothing asserts how long a thing takes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
