import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { formatSearch, parseSearch, type SearchParams } from '../frame/search-params.ts';
import { HomePage } from '../home/home-page.tsx';
import { ConsolePage } from './console-page.tsx';
import { PageError, PageNotFound } from './page-error.tsx';
import { ShellFrame } from './shell.tsx';

const search = (params: Record<string, unknown>) => params as SearchParams;
const root = createRootRoute({
  component: ShellFrame,
  errorComponent: PageError,
  notFoundComponent: PageNotFound,
});
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: search,
  component: HomePage,
});
const console = createRoute({
  getParentRoute: () => root,
  path: '/console',
  validateSearch: search,
  component: ConsolePage,
  errorComponent: PageError,
});

/** Creates the routes below the base path. The router leaves the query as text; each route parses its own. */
export function makeRouter(basePath: string) {
  return createRouter({
    routeTree: root.addChildren([home, console]),
    basepath: basePath === '' ? '/' : basePath,
    parseSearch,
    stringifySearch: formatSearch,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
