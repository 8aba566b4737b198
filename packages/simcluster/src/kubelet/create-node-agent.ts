import { Readable } from 'node:stream';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ApiError } from '../api-error.ts';
import type {
  ContainerLogAnswer,
  ContainerLogRequest,
  NodeAgent,
  NodeAnswer,
  NodeRequest,
} from '../node-agent.ts';
import type { Store, StoredObject } from '../store/store.ts';
import { containerToRead } from './container-to-read.ts';
import { serveNode } from './files/serve-node.ts';
import { isMissing, type OpenedLog, openFollowed } from './follow.ts';
import { logBody, releasedBody } from './log-body.ts';
import type { LogFile, ReadableLog } from './log-file.ts';
import type { NodeStates } from './node-states.ts';
import type { EntryReading } from './read-entries.ts';

const BLOCK_BYTES = 128 * 1024;
const NEWLINE = 10;

const KUBELET_PORT = 10250;

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** How the node agent reaches logs and node states. */
export interface LogAccess {
  readonly nodes: NodeStates;
  /** Returns a flushed log that the runtime still has, and its path on the node. */
  find(containerId: string): { readonly log: ReadableLog; readonly pathOnNode: string } | undefined;
  /** Returns this machine's folder with the contents of a node's /var/log/pods, after a flush. */
  podLogs(node: string): string;
}

export interface NodeAgentOptions {
  readonly store: Pick<Store, 'get'>;
  /** The runtime with the logs to read. */
  readonly runtime: { readonly access: LogAccess };
  /** Only for the second until a follow notices that its container has ended. */
  readonly clock: Clock;
}

/**
 * Simulates the kubelets of all nodes, only for container logs. A response contains all records written before the
 * call. The body keeps a file open until the consumer reads it to the end, calls return or throw, or the request's
 * signal aborts.
 */
export function createNodeAgent(options: NodeAgentOptions): NodeAgent {
  return {
    containerLog: (request) => containerLog(options, request),
    proxied: (node, request) => proxied(options, node, request),
  };
}

async function proxied(
  { runtime: { access }, clock }: NodeAgentOptions,
  node: StoredObject,
  request: NodeRequest,
): Promise<NodeAnswer> {
  const { name } = node.metadata;
  if (access.nodes.state(name).kubelet === 'down') {
    throw new ApiError(503, 'ServiceUnavailable', `error trying to reach service: ${dialText(node)}`);
  }
  const servesLogFiles = access.nodes.servesLogFiles(name);
  return serveNode({ name, podLogs: access.podLogs(name), servesLogFiles, nowMs: clock.now() }, request);
}

async function containerLog(
  { store, runtime: { access }, clock }: NodeAgentOptions,
  request: ContainerLogRequest,
): Promise<ContainerLogAnswer> {
  const pod = store.get('pods', request.namespace, request.pod);
  if (pod === undefined || pod.metadata.uid !== request.podUid) return podNotFound(request.pod);
  const node = nodeOf(pod);
  if (node === '') return { kind: 'no-content' };
  const state = access.nodes.state(node);
  if (state.kubelet === 'down') return kubeletUnreachable(request, node, store.get('nodes', undefined, node));
  if (state.kubelet === 'starting') return unknownResource(request.pod);
  state.kubelet satisfies 'up';
  const chosen = containerToRead(pod, request.container, request.previous);
  if (chosen.kind !== 'container') return chosen;
  const found = state.runtime === 'up' ? access.find(chosen.containerId) : undefined;
  if (found === undefined) return text(`unable to retrieve container logs for ${chosen.containerId}`);
  const stop = new AbortController();
  const unlisten = access.nodes.onKubeletStop(node, () => stop.abort());
  const signal = AbortSignal.any([request.signal, stop.signal]);
  try {
    return { kind: 'stream', body: await openBody(request, found.log, clock, signal, unlisten) };
  } catch (error) {
    unlisten();
    if (!isMissing(error)) throw error;
    return fileIsMissing(found.pathOnNode);
  }
}

/** Opens the file and finds the start immediately, so that nothing written after the call can shift it. */
async function openBody(
  request: ContainerLogRequest,
  log: ReadableLog,
  clock: Clock,
  signal: AbortSignal,
  onRelease: () => void,
): Promise<AsyncIterable<Uint8Array>> {
  const opened: OpenedLog = request.follow
    ? await openFollowed(log, clock, signal)
    : { file: await log.open(), follow: undefined };
  const release = async () => {
    onRelease();
    opened.follow?.close();
    await opened.file.close();
  };
  try {
    const { file } = opened;
    const size = await file.size();
    const start = request.tailLines === undefined ? 0 : await findTailStart(file, size, request.tailLines);
    return releasedBody(
      logBody({ opened, start, size, reading: readingOf(request), signal }),
      release,
      signal,
    );
  } catch (error) {
    await release();
    throw error;
  }
}

function fileIsMissing(path: string): ContainerLogAnswer {
  return text(`failed to try resolving symlinks in path "${path}": lstat ${path}: no such file or directory`);
}

function readingOf(request: ContainerLogRequest): EntryReading {
  return {
    timestamps: request.timestamps,
    sinceMs: request.sinceMs,
    entriesLeft: request.follow ? NO_LIMIT : (request.tailLines ?? NO_LIMIT),
    bytesLeft: request.limitBytes ?? NO_LIMIT,
    atLineStart: true,
    unterminated: false,
    format: 'open',
    unknownLine: '',
  };
}

function nodeOf(pod: StoredObject): string {
  const node = pod.spec?.nodeName;
  return typeof node === 'string' ? node : '';
}

function podNotFound(name: string): ContainerLogAnswer {
  const message = `pods "${name}" not found`;
  return { kind: 'status', code: 404, reason: 'NotFound', message, details: { name, kind: 'pods' } };
}

/** Makes a kubelet's response for every pod before it has learned of any. */
function unknownResource(name: string): ContainerLogAnswer {
  const message = `the server could not find the requested resource ( pods/log ${name})`;
  return { kind: 'status', code: 404, reason: 'NotFound', message, details: { name, kind: 'pods/log' } };
}

/** Makes an error of the kubelet after it has sent its headers: 200, and the text without a newline. */
function text(message: string): ContainerLogAnswer {
  return { kind: 'stream', body: Readable.from([Buffer.from(message)]) };
}

/**
 * Makes the API server's error if no kubelet listens on the node: a Go dial error, as a Status without a reason. The
 * URL is the one that the API server builds for its proxy (LogLocation in pkg/registry/core/pod/strategy.go).
 */
function kubeletUnreachable(
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
  return { kind: 'status', code: 500, message: `Get "${url}": ${dialText(node)}` };
}

/** What Go says of a kubelet that is down. */
function dialText(node: StoredObject | undefined): string {
  return `dial tcp ${addressOf(node)}:${KUBELET_PORT}: connect: connection refused`;
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

/**
 * Returns the offset of the last `count` entries in a file of `size` bytes; searches from its end. An entry is what
 * ends in a newline, so a 16 KiB fragment counts. With count 0, returns the end of the last whole entry.
 */
async function findTailStart(file: LogFile, size: number, count: number): Promise<number> {
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size));
  let found = 0;
  for (let right = size; right > 0; ) {
    const left = Math.max(0, right - BLOCK_BYTES);
    const { bytesRead } = await file.read(block, 0, right - left, left);
    if (bytesRead === 0) break;
    for (let index = block.lastIndexOf(NEWLINE, bytesRead - 1); index >= 0; ) {
      found += 1;
      if (found > count) return left + index + 1;
      index = index === 0 ? -1 : block.lastIndexOf(NEWLINE, index - 1);
    }
    right = left;
  }
  return 0;
}
