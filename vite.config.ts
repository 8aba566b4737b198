import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadFonts } from './scripts/preload-fonts.mjs';
import { fakeApi } from './test/ui/fake-api.ts';

/**
 * The dashboard's page. `npx vite` serves it with an invented cluster, or, with LOGTOOL_SERVER=http://localhost:7500,
 * on a running `logtool serve`. scripts/build-ui.mjs builds it into dist/ui.
 */
const server = process.env.LOGTOOL_SERVER;

export default defineConfig({
  root: resolve(import.meta.dirname, 'src/ui'),
  // Addresses relative to the page: the server may be mounted at any path.
  base: './',
  plugins: [react(), tailwindcss(), preloadFonts(), fakeApi()],
  server: {
    // The server answers pages of its own origin only: what comes through here is to look like one.
    proxy:
      server === undefined
        ? {}
        : { '/api/v1': { target: server, changeOrigin: true, headers: { origin: server } } },
  },
  build: {
    outDir: resolve(import.meta.dirname, process.env.LOGTOOL_UI_OUT ?? 'dist/ui'),
    emptyOutDir: true,
    target: 'es2023',
    // No data: URL for small files: the content security policy allows 'self' only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
});
