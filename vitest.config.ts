import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Time limits guard against hangs only: nothing asserts how long a thing takes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
