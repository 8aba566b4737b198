import type { NodeAnswer, NodeRequest } from '../../node-agent.ts';
import { directoryPage } from './directory-page.ts';
import { serveFile } from './serve-file.ts';
import { type ServedNode, statsSummary } from './stats-summary.ts';

const NOT_FOUND: NodeAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
};

/** As in test/recorded/nodes/disabled-file.json. */
const DISABLED: NodeAnswer = {
  status: 405,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: 'logs endpoint is disabled.\n',
};

/** Serves the kubelet's paths for logs, `/logs/...` and `/stats/summary`; all others are unknown. */
export async function serveNode(node: ServedNode, request: NodeRequest): Promise<NodeAnswer> {
  const { path } = request;
  if (path === '/stats/summary') return statsSummary(node, request);
  if (!node.servesLogFiles && /^\/+logs(\/|$)/.test(path)) return DISABLED;
  if (path === '/logs') {
    const body = '<a href="/logs/">Temporary Redirect</a>.\n\n';
    return { status: 307, headers: { 'content-type': 'text/html; charset=utf-8', location: '/logs/' }, body };
  }
  const inLogs = /^\/+logs(\/.*)$/.exec(path)?.[1];
  if (inLogs === undefined) return NOT_FOUND;
  const inPods = /^\/+pods(\/.*|)$/.exec(inLogs)?.[1];
  if (inPods !== undefined) return servePods(node, inPods, request);
  // Only the pods' logs of /var/log are simulated.
  return inLogs === '/' && request.method === 'GET'
    ? rootPage()
    : serveFile(`${node.podLogs}/none`, inLogs, request);
}

function servePods(
  { podLogs }: ServedNode,
  path: string,
  request: NodeRequest,
): Promise<NodeAnswer> | NodeAnswer {
  if (path === '' && request.method === 'GET')
    return { status: 301, headers: { location: 'pods/' }, body: '' };
  return serveFile(podLogs, path, request);
}

function rootPage(): NodeAnswer {
  const pods = { name: 'pods', isDirectory: () => true };
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: directoryPage([pods]),
  };
}
