import { ROUTES } from '../../contract/routes.ts';
import { pathPattern } from '../routes/path-pattern.ts';

const API_ROUTES = Object.values<{ readonly path: string }>(ROUTES).map(({ path }) => ({
  path,
  pattern: pathPattern(path),
}));

/** The route of a path as the contract writes it (`/contexts/{context}/logs`), else what the path is for. */
export function routeName(path: string, basePath: string): string {
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  if (below === '/healthz') return 'probe';
  const ofApi = /^\/api\/v1(\/.*)$/.exec(below)?.[1];
  if (ofApi !== undefined) return API_ROUTES.find(({ pattern }) => pattern.test(ofApi))?.path ?? 'unknown';
  return /\.\w+$/.test(below) ? 'file' : 'page';
}
