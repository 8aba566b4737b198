import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { sleep, systemClock } from '../../src/domain/clock.ts';
import { DEPLOYMENTS, JOBS, NAMESPACES, PODS } from '../../src/kube/builtin-resources.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../src/kube/client.ts';
import { openConnection } from '../../src/kube/connection/open-connection.ts';
import { createKubeClient } from '../../src/kube/create-client.ts';
import { isKubeError } from '../../src/kube/errors.ts';
import { startSimCluster } from '../../src/simcluster/start.ts';
import type { PodOptions } from './pods.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A cluster under test and a namespace of its own in it. */
export interface ClusterUnderTest {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly client: KubeClient;
  readonly pods: PodOptions;
  create(object: unknown): Promise<KubeObject>;
  /** Waits until the object satisfies the condition, by watching it. */
  until(type: ResourceType, name: string, condition: (object: PodLike) => boolean): Promise<PodLike>;
  /** Runs the built program to its end. */
  logtool(args: readonly string[]): Promise<ProgramResult>;
  close(): Promise<void>;
}

export interface PodLike extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly succeeded?: number;
    readonly readyReplicas?: number;
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: Readonly<Record<string, unknown>>;
    }[];
  };
}

export interface ProgramResult {
  readonly stdout: Buffer;
  readonly lines: readonly string[];
  readonly stderr: string;
  readonly exitCode: number | null;
}

/**
 * The cluster of LOGTOOL_TEST_KUBECONFIG (set by `npm run test:cluster`), else a simulated one. Makes a namespace;
 * `close` removes it.
 */
export async function openCluster(): Promise<ClusterUnderTest> {
  const { env } = process;
  const simulated =
    env.LOGTOOL_TEST_KUBECONFIG === undefined
      ? await startSimCluster({ scenario: join(ROOT, 'scenarios/minimal.yaml') })
      : undefined;
  const kubeconfig = simulated?.kubeconfig ?? env.LOGTOOL_TEST_KUBECONFIG ?? '';
  const connection = await openConnection({
    kubeconfig,
    env,
    homeDirectory: env.HOME ?? '/',
    clock: systemClock,
  });
  const client = createKubeClient(connection, { clock: systemClock, userAgent: 'logtool-conformance' });
  const namespace = `logtool-test-${Date.now().toString(36)}-${process.pid}`;
  await client.create(NAMESPACES, undefined, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  return {
    kubeconfig,
    namespace,
    client,
    pods: podOptions(env),
    create: (object) => createWhenReady(client, namespace, object),
    until: (type, name, condition) => until(client, namespace, type, name, condition),
    logtool: (args) => runLogtool([...args, '--kubeconfig', kubeconfig]),
    async close() {
      await client.delete(NAMESPACES, { name: namespace });
      client.close();
      await simulated?.close();
    },
  };
}

/** A new namespace takes pods only once its controller has made the default service account. */
async function createWhenReady(client: KubeClient, namespace: string, object: unknown): Promise<KubeObject> {
  for (;;) {
    try {
      return await client.create(typeOf(object), namespace, object);
    } catch (error) {
      if (!isKubeError(error, 'forbidden') || !error.message.includes('serviceaccount')) throw error;
      await sleep(systemClock, 200);
    }
  }
}

function podOptions(env: NodeJS.ProcessEnv): PodOptions {
  const selector = env.LOGTOOL_TEST_NODE_SELECTOR;
  return {
    image: env.LOGTOOL_TEST_IMAGE ?? 'busybox:stable',
    imagePullPolicy: env.LOGTOOL_TEST_IMAGE_PULL_POLICY,
    hostNetwork: env.LOGTOOL_TEST_HOST_NETWORK === '1',
    nodeSelector: selector
      ? Object.fromEntries(selector.split(',').map((pair) => pair.split('=')))
      : undefined,
  };
}

function typeOf(object: unknown): ResourceType {
  const { kind } = object as { readonly kind: string };
  const type = [PODS, DEPLOYMENTS, JOBS].find((known) => known.kind === kind);
  if (type === undefined) throw new Error(`the suite makes no ${kind}`);
  return type;
}

async function until(
  client: KubeClient,
  namespace: string,
  type: ResourceType,
  name: string,
  condition: (object: PodLike) => boolean,
): Promise<PodLike> {
  const stop = new AbortController();
  try {
    for await (const event of client.reflect<PodLike>(type, { namespace, name }, { signal: stop.signal })) {
      const seen =
        event.type === 'snapshot' ? event.objects[0] : event.type === 'changed' ? event.object : undefined;
      if (seen !== undefined && condition(seen)) return seen;
    }
  } finally {
    stop.abort();
  }
  throw new Error(`the watch of ${type.plural}/${name} ended`);
}

/** Runs the built program to its end. */
export function runLogtool(args: readonly string[]): Promise<ProgramResult> {
  const child = spawn('node', [join(ROOT, 'bin/logtool.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', LOGTOOL_DEBUG: '' },
  });
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  return new Promise((done) =>
    child.on('close', (exitCode) => {
      const bytes = Buffer.concat(stdout);
      const lines = bytes.toString().split('\n');
      if (lines.at(-1) === '') lines.pop();
      done({ stdout: bytes, lines, stderr, exitCode });
    }),
  );
}
