// Builds the dashboard's page into a folder: hashed names, a brotli file beside each, licenses of the contents.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, mergeConfig } from 'vite';
import { licenses } from './licenses.mjs';
import { pageConfig } from './page-config.mjs';

const root = join(import.meta.dirname, '../..');
const compress = promisify(brotliCompress);

/** @param {string} outDir */
export async function buildUi(outDir) {
  const folders = new Set();
  const collect = {
    name: 'collect-packages',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const match = /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id);
        if (match) folders.add(match[1]);
      }
    },
  };
  // Do not depend on the caller's environment (tests set another value): React's own checks are not for users.
  process.env.NODE_ENV = 'production';
  const config = mergeConfig(pageConfig, {
    logLevel: 'warn',
    plugins: [collect],
    // Vite builds workers separately.
    worker: { plugins: () => [collect] },
    // Plugin timings do not help a user who starts the demo for the first time.
    build: { outDir, rolldownOptions: { checks: { pluginTimings: false } } },
  });
  await build({ ...config, configFile: false });
  // Fonts are included by url(), which the module list does not show.
  for (const name of ['@fontsource-variable/ibm-plex-sans', '@fontsource/ibm-plex-mono']) {
    folders.add(`node_modules/${name}`);
  }
  await writeFile(join(outDir, 'licenses.txt'), await licenses(root, folders));
  for (const name of await readdir(outDir, { recursive: true })) {
    // The server fills in index.html for each request; fonts are already compressed.
    if (!/\.(js|css|svg|txt)$/.test(name)) continue;
    const text = await readFile(join(outDir, name));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    };
    await writeFile(join(outDir, `${name}.br`), await compress(text, { params }));
  }
}
