import type { Plugin } from 'vite';

/** Serves the contract with an invented cluster while the page is worked on; see vite.config.ts. */
export function fakeApi(): Plugin {
  return { name: 'fake-api', apply: 'serve' };
}
