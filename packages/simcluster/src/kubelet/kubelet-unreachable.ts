import type { ContainerLogAnswer, ContainerLogRequest } from '../node-agent.ts';
import type { StoredObject } from '../store/store.ts';

const KUBELET_PORT = 10250;

/**
 * The API server's error when no kubelet listens on the node: a Go dial error, as a Status without a reason. The URL
 * is the one that the API server builds for its proxy (LogLocation in pkg/registry/core/pod/strategy.go).
 */
export function kubeletUnreachable(
  request: ContainerLogRequest,
  nodeName: string,
  node: StoredObject | undefined,
): ContainerLogAnswer {
  const query = new URLSearchParams();
  if (request.follow) query.append('follow', 'true');
  if (request.limitBytes !== undefined) query.append('limitBytes', String(request.limitBytes));
  if (request.previous) query.append('previous', 'true');
  if (request.sinceMs !== undefined) query.append('sinceTime', wholeSecond(request.sinceMs));
  if (request.tailLines !== undefined) query.append('tailLines', String(request.tailLines));
  if (request.timestamps) query.append('timestamps', 'true');
  const path = `containerLogs/${request.namespace}/${request.pod}/${request.container}`;
  const search = query.size === 0 ? '' : `?${query}`;
  const url = `https://${nodeName}:${KUBELET_PORT}/${path}${search}`;
  const message = `Get "${url}": dial tcp ${addressOf(node)}:${KUBELET_PORT}: connect: connection refused`;
  return { kind: 'status', code: 500, message };
}

function wholeSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function addressOf(node: StoredObject | undefined): string {
  const addresses = node?.status?.addresses;
  const internal: unknown = Array.isArray(addresses)
    ? addresses.find((address: { type?: unknown }) => address?.type === 'InternalIP')?.address
    : undefined;
  return typeof internal === 'string' ? internal : '127.0.0.1';
}
