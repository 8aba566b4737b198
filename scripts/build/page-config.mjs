import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { preloadFonts } from './preload-fonts.mjs';

const root = resolve(import.meta.dirname, '../..');

/**
 * Vite's configuration for the dashboard's page. It reads nothing below `test/`, which is not in the build context of
 * the image; vite.config.ts adds what development needs.
 *
 * @type {import('vite').UserConfig}
 */
export const pageConfig = {
  root: join(root, 'packages/logtool/src/ui'),
  // Addresses relative to the page: the server may be mounted at any path.
  base: './',
  plugins: [react(), preloadFonts()],
  build: {
    outDir: join(root, 'dist/ui'),
    emptyOutDir: true,
    target: 'es2023',
    // No data: URLs for small files: the content security policy allows only 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
};
