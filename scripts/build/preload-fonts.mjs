/** Vite plugin: preloads the page's two latin fonts together with its script, instead of after its style sheet. */
export function preloadFonts() {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((name) => /-latin-(wght|400)-normal-[^/]+\.woff2$/.test(name))
          .sort()
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `./${name}` },
            injectTo: 'head',
          }));
      },
    },
  };
}
