/** Replacements for modules in the program's bundles, as esbuild options. */
export const substitutes = {
  alias: {
    '@modelcontextprotocol/server/_shims': './packages/logtool/src/cli/mcp/sdk-shims.ts',
  },
  plugins: [
    {
      name: 'zod-in-english',
      /**
       * zod exports its messages in fifty languages as one value: 250 KB that no bundler removes and that the program
       * does not use.
       */
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
