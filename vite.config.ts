import { defineConfig, mergeConfig } from 'vite';
import { pageConfig } from './scripts/page-config.mjs';
import { fakeApi } from './test/ui/fake-api.ts';

/**
 * The dashboard's page in development. `npx vite` serves it with an invented cluster, or, with
 * LOGTOOL_SERVER=http://localhost:7500, on a running `logtool serve`. scripts/build-ui.mjs builds it into dist/ui.
 */
const server = process.env.LOGTOOL_SERVER;

export default defineConfig(
  mergeConfig(pageConfig, {
    plugins: [fakeApi()],
    server: {
      // The server accepts requests from pages of its own origin only, so the proxy sends that origin.
      proxy:
        server === undefined
          ? {}
          : { '/api/v1': { target: server, changeOrigin: true, headers: { origin: server } } },
    },
  }),
);
