import { defineConfig, mergeConfig } from 'vite';
import { pageConfig } from './scripts/build/page-config.mjs';

/**
 * The dashboard's page in development: `npx vite` serves it for the server that runs at LOGTOOL_SERVER, such as that of
 * `npm run demo`. scripts/build/build-ui.mjs builds it into dist/ui.
 */
const server = process.env.LOGTOOL_SERVER ?? 'http://localhost:7500';

export default defineConfig(
  mergeConfig(pageConfig, {
    server: {
      // The server accepts requests from pages of its own origin only, so the proxy sends that origin.
      proxy: { '/api/v1': { target: server, changeOrigin: true, headers: { origin: server } } },
    },
  }),
);
