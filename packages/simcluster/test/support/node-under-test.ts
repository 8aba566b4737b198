import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { parseTimestamp, type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { createNodeAgent } from '../../src/kubelet/create-node-agent.ts';
import type { RotationPolicy } from '../../src/kubelet/run-log.ts';
import type { ContainerRun } from '../../src/kubelet/runtime.ts';
import { SimulatedRuntime } from '../../src/kubelet/simulated-runtime.ts';
import type { ContainerLogAnswer } from '../../src/node-agent.ts';
import type { StoredObject } from '../../src/store/store.ts';

/** A node with real files, a stopped clock, and pods whose status the test writes. For tests only. */
export interface NodeUnderTest {
  readonly directory: string;
  readonly clock: FakeClock;
  readonly runtime: SimulatedRuntime;
  /** Starts a run in the pod (namespace/name) on node-1. */
  start(pod: string, container?: string, restartCount?: number): ContainerRun;
  /** Sets what the pod's status says of a container. */
  report(pod: string, container: string, status: Record<string, unknown>): void;
  /** Starts a run and reports it as running, as a kubelet would. */
  run(pod: string, container?: string, restartCount?: number): ContainerRun;
  setPod(pod: string, fields: Partial<StoredObject>): void;
  /** Asks for a log with the path and query of the API. */
  ask(path: string, signal?: AbortSignal): Promise<ContainerLogAnswer>;
  close(): Promise<void>;
}

export function startNode(rotation: Partial<RotationPolicy> = {}, startMs?: number): NodeUnderTest {
  const directory = mkdtempSync(join(tmpdir(), 'kubelet-'));
  const clock = new FakeClock(startMs);
  const runtime = new SimulatedRuntime({ directory, clock, rotation });
  const pods = new Map<string, StoredObject>();
  const podOf = (key: string) => podIn(pods, key);
  const agent = createNodeAgent({
    store: { get: (_, namespace, name) => pods.get(`${namespace}/${name}`) },
    runtime,
    clock,
  });

  const node: NodeUnderTest = {
    directory,
    clock,
    runtime,
    start(key, container = 'main', restartCount = 0) {
      const { metadata } = podOf(key);
      const namespace = metadata.namespace ?? '';
      const names = { node: 'node-1', namespace, pod: metadata.name, podUid: metadata.uid, container };
      return runtime.startRun({ ...names, restartCount });
    },

    report(key, container, status) {
      const pod = podOf(key);
      const all = (pod.status?.containerStatuses ?? []) as { name: string }[];
      const others = all.filter((other) => other.name !== container);
      pod.status = { ...pod.status, containerStatuses: [...others, { name: container, ...status }] };
    },

    run(key, container = 'main', restartCount = 0) {
      const run = node.start(key, container, restartCount);
      node.report(key, container, running(run));
      return run;
    },
    setPod: (key, fields) => void Object.assign(podOf(key), fields),
    ask(path, signal = new AbortController().signal) {
      const { pathname, searchParams } = new URL(path, 'https://cluster');
      const [, , , , namespace = '', , name = ''] = pathname.split('/');
      const pod = podOf(`${namespace}/${name}`);
      return agent.containerLog({
        namespace,
        pod: name,
        podUid: pod.metadata.uid,
        container: searchParams.get('container') || onlyContainer(pod),
        ...logOptions(searchParams, clock.now()),
        signal,
      });
    },

    async close() {
      await runtime.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return node;
}

/** Returns the pod `namespace/name`, which is created if it is new. */
function podIn(pods: Map<string, StoredObject>, key: string): StoredObject {
  const known = pods.get(key);
  if (known !== undefined) return known;
  const [namespace = '', name = ''] = key.split('/');
  const metadata = { name, namespace, uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: '' };
  const pod: StoredObject = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'node-1' } };
  pods.set(key, pod);
  return pod;
}

/** Reads the query of a log request, as the API server does. */
function logOptions(query: URLSearchParams, nowMs: number) {
  const count = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  const since = parseTimestamp(query.get('sinceTime') ?? '');
  const sinceSeconds = count('sinceSeconds');
  return {
    follow: query.get('follow') === 'true',
    previous: query.get('previous') === 'true',
    timestamps: query.get('timestamps') === 'true',
    tailLines: count('tailLines'),
    limitBytes: count('limitBytes'),
    sinceMs: since !== undefined ? since.seconds * 1000 : sinceSeconds && nowMs - sinceSeconds * 1000,
  };
}

/** Returns what the API server would choose for these pods, which each have one regular container. */
function onlyContainer(pod: StoredObject): string {
  const statuses = (pod.status?.containerStatuses ?? []) as { name: string }[];
  return statuses[0]?.name ?? 'main';
}

/** Returns the container status of a run that is running. */
export function running(run: ContainerRun, lastId?: string): Record<string, unknown> {
  return {
    containerID: run.containerId,
    state: { running: {} },
    ...(lastId === undefined ? {} : { lastState: { terminated: { containerID: lastId } } }),
  };
}

/** Returns the whole body of an answer. Throws if there is none. */
export async function bodyOf(answer: ContainerLogAnswer): Promise<Buffer> {
  if (answer.kind !== 'stream') throw new Error(`no body: ${JSON.stringify(answer)}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads a body chunk by chunk. */
export function chunksOf(answer: ContainerLogAnswer): { next(): Promise<string | undefined> } {
  if (answer.kind !== 'stream') throw new Error(`no body: ${JSON.stringify(answer)}`);
  const iterator = answer.body[Symbol.asyncIterator]();
  return {
    async next() {
      const result = await iterator.next();
      return result.done === true ? undefined : Buffer.from(result.value).toString();
    },
  };
}

/** Parses a timestamp. Throws if the text is not one. */
export function stamp(text: string): Timestamp {
  const at = parseTimestamp(text);
  if (at === undefined) throw new Error(`not a timestamp: ${text}`);
  return at;
}

export function msOf(text: string): number {
  return timestampToMs(stamp(text));
}
