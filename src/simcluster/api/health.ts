import { goJson, textReply } from './reply.ts';
import type { ApiRequest, Reply } from './request.ts';

const VERSION = {
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.0',
  gitCommit: '$Format:%H$',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
  platform: 'linux/amd64',
};

const CHECKS = [
  'ping',
  'log',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/rbac/bootstrap-roles',
  'shutdown',
];

/** /version and the health paths; undefined for every other path. */
export function healthReply(request: ApiRequest): Reply | undefined {
  const { path } = request;
  if (path === '/version' || path === '/version/') {
    const headers = { 'content-type': 'application/json' };
    return { status: 200, headers, body: goJson(VERSION, true) };
  }
  const check = /^\/(healthz|livez|readyz)$/.exec(path)?.[1];
  if (check === undefined) return undefined;
  if (!request.query.has('verbose')) return textReply(200, 'ok');
  const lines = CHECKS.map((name) => `[+]${name} ok\n`).join('');
  return textReply(200, `${lines}${check} check passed\n`);
}
