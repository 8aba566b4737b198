/** What the bundles of the program take in place of what its packages name, as options of esbuild. */
export const substitutes = {
  alias: {
    // Its Node entry is CommonJS, whose names a dynamic import of a bundle cannot see.
    yaml: './node_modules/yaml/browser/index.js',
    '@modelcontextprotocol/server/_shims': './packages/logtool/src/cli/mcp/sdk-shims.ts',
  },
  plugins: [
    {
      name: 'zod-in-english',
      /** zod names its messages in fifty languages as one value, 250 KB that no bundler leaves out and nothing here uses. */
      setup(build) {
        build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer }) =>
          /[\\/]node_modules[\\/]zod[\\/]/.test(importer)
            ? { path: 'none', namespace: 'zod-locales' }
            : undefined,
        );
        build.onLoad({ filter: /.*/, namespace: 'zod-locales' }, () => ({ contents: 'export {};' }));
      },
    },
  ],
};
