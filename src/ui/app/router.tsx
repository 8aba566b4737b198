import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { HomePage } from '../home/home-page.tsx';
import { formatSearch, parseSearch, type SearchParams } from './search-params.ts';

const root = createRootRoute({ component: Outlet });
const search = (params: Record<string, unknown>) => params as SearchParams;

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: search,
  component: HomePage,
});
const consoleRoute = createRoute({
  getParentRoute: () => root,
  path: '/console',
  validateSearch: search,
  component: lazyRouteComponent(() => import('../console/console.tsx'), 'Console'),
});

export function makeRouter(basePath: string) {
  return createRouter({
    routeTree: root.addChildren([home, consoleRoute]),
    basepath: basePath === '' ? '/' : basePath,
    parseSearch,
    stringifySearch: formatSearch,
    defaultPreload: 'intent',
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
