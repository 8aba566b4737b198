import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { filesTogether } from './test/support/together.ts';

const together = filesTogether();

const common = {
  // Every core: left to itself vitest keeps one free, which on two cores is half of them.
  maxWorkers: availableParallelism(),
  // Time limits guard against hangs only: nothing asserts how long a thing takes.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    ...common,
    // Here only: a project that repeats it would run it again.
    globalSetup: ['test/support/global-setup.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'alone',
          include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: together,
        },
      },
      { test: { ...common, name: 'together', include: together, isolate: false } },
    ],
  },
});
