import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { filesTogether } from './test/support/together.ts';

const together = filesTogether();

const common = {
  // One more than there are cores: much of the time a test waits for a browser, a program or a timer.
  maxWorkers: availableParallelism() + 1,
  // Time limits guard against hangs only: nothing asserts how long a thing takes.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
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
