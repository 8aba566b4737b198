import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * Bundles the packages of this repository, whose files are TypeScript, even if all other packages stay external.
 *
 * @type {import('esbuild').Plugin}
 */
export const ownPackages = {
  name: 'own-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^@logtool\// }, ({ path }) => {
      return { path: join(root, 'packages', ...path.split('/').slice(1)) };
    });
  },
};
