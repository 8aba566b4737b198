import { NODES } from '../builtin-resources.ts';
import type { NodeFileQuery, NodeFileResponse, RequestOptions } from '../client.ts';
import { isKubeError, KubeError } from '../errors.ts';
import { performStream } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { joinSegments, resourcePath, subjectOf } from './paths.ts';

/** `bytes 0-511/20241`; of an empty file, `bytes 0--1/0` (test/recorded/nodes/empty-file-suffix.json). */
const CONTENT_RANGE = /^bytes (\d{1,15})-(?:-1|\d{1,15})\/(\d{1,15})$/;

/**
 * Opens a file below a node's `/var/log`, or the listing of a folder, through the API server's proxy to the kubelet:
 * https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1/ (connect proxy). The kubelet's file
 * server accepts only `*`/`*`, has no HEAD, and answers a range at the end of a file with 416
 * (test/recorded/nodes/range-at-end.json).
 */
export async function openNodeFile(
  wire: Wire,
  { node, path, isFolder = false, range }: NodeFileQuery,
  options: RequestOptions = {},
): Promise<NodeFileResponse> {
  const address = { name: node, subresource: 'proxy' };
  const subject = subjectOf('get', NODES, address);
  const request = {
    method: 'GET',
    // Without its slash, the server redirects a request for a folder.
    path: `${resourcePath(NODES, address)}/logs/${joinSegments(path)}${isFolder ? '/' : ''}`,
    subject,
    accept: '*/*',
    range: range && rangeText(range),
    signal: options.signal,
    answerTimeoutMs: wire.logAnswerTimeoutMs,
    sharesConnection: true,
  } as const;
  try {
    const { status, contentRange, body } = await performStream(wire, request);
    if (status !== 206) return { from: 0, size: undefined, body };
    const [, from, size] = CONTENT_RANGE.exec(contentRange ?? '') ?? [];
    if (from !== undefined && size !== undefined) return { from: Number(from), size: Number(size), body };
    await body.return();
    const problem = {
      code: 'bad-content-range',
      data: { text: (contentRange ?? '').slice(0, 100) },
    } as const;
    throw new KubeError({ kind: 'protocol', problem, request: subject });
  } catch (error) {
    if (range !== undefined && isKubeError(error, 'http') && error.status === 416)
      return { from: 0, size: undefined, body: nothing() };
    throw error;
  }
}

function rangeText(range: NonNullable<NodeFileQuery['range']>): string {
  return 'last' in range ? `bytes=-${range.last}` : `bytes=${range.from}-${range.to ?? ''}`;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
