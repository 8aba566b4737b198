import { join, resolve } from 'node:path';
import { BUILTIN_RESOURCES, NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { sleep, systemClock } from '@logtool/kube/src/values/clock.ts';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import { type PodOptions, readPodOptions } from '../../suites/conformance/pods.ts';
import { marked } from './mark.ts';
import { followLogtool, type ProgramResult, type RunningProgram, runLogtool } from './program.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A cluster under test and a namespace in it. */
export interface ClusterUnderTest {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly client: KubeClient;
  readonly pods: PodOptions;
  create(object: unknown): Promise<KubeObject>;
  /** Watches the object until it fulfills the condition. */
  until(type: ResourceType, name: string, condition: (object: PodLike) => boolean): Promise<PodLike>;
  /** Runs the built program to its end. */
  logtool(args: readonly string[]): Promise<ProgramResult>;
  /** Starts the built program, which keeps running. */
  follow(args: readonly string[]): RunningProgram;
  close(): Promise<void>;
}

export interface ContainerState {
  readonly name: string;
  readonly restartCount: number;
  readonly state: Readonly<Record<string, unknown>>;
}

export interface PodLike extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly succeeded?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly numberReady?: number;
    readonly replicas?: number;
    readonly containerStatuses?: readonly ContainerState[];
  };
}

/**
 * Opens the cluster and the namespace that `npm run test:cluster` names in LOGTOOL_TEST_KUBECONFIG and
 * LOGTOOL_TEST_NAMESPACE; without them, starts a simulated cluster.
 */
export async function openCluster(): Promise<ClusterUnderTest> {
  const { env } = process;
  const given = env.LOGTOOL_TEST_KUBECONFIG;
  const simulated =
    given === undefined
      ? await startSimCluster({ scenario: join(ROOT, 'scenarios/minimal.yaml') })
      : undefined;
  const kubeconfig = simulated?.kubeconfig ?? given ?? '';
  const client = await openClient(kubeconfig);
  const namespace = env.LOGTOOL_TEST_NAMESPACE ?? 'logtool-test';
  if (simulated !== undefined) {
    await client.create(NAMESPACES, undefined, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
  }
  const flags = ['--kubeconfig', kubeconfig];
  return {
    kubeconfig,
    namespace,
    client,
    pods: readPodOptions(env),
    create: (object) =>
      createWhenReady(client, namespace, marked(object, env.LOGTOOL_TEST_MARK ?? 'simulated')),
    until: (type, name, condition) => until(client, namespace, type, name, condition),
    logtool: (args) => runLogtool([...args, ...flags]),
    follow: (args) => followLogtool([...args, ...flags]),
    async close() {
      client.close();
      await simulated?.close();
    },
  };
}

/** Creates a client for the cluster of a kubeconfig. */
export async function openClient(kubeconfig: string): Promise<KubeClient> {
  const { env } = process;
  const connection = await openConnection({
    kubeconfig,
    env,
    homeDirectory: env.HOME ?? '/',
    clock: systemClock,
  });
  return createKubeClient(connection, { clock: systemClock, userAgent: 'logtool-conformance' });
}

/** Does not match a real refusal, which also names a service account if one sends the request. */
const NO_ACCOUNT_YET = /serviceaccount "[^"]*" not found/;

/**
 * Retries, because a new namespace accepts pods only once its controller has created the default service
 * account.
 */
async function createWhenReady(client: KubeClient, namespace: string, object: unknown): Promise<KubeObject> {
  for (;;) {
    try {
      return await client.create(typeOf(object), namespace, object);
    } catch (error) {
      if (!isKubeError(error, 'forbidden') || !NO_ACCOUNT_YET.test(error.message)) throw error;
      await sleep(systemClock, 200);
    }
  }
}

function typeOf(object: unknown): ResourceType {
  const { kind } = object as { readonly kind: string };
  const type = [...BUILTIN_RESOURCES, ...ACCESS_RESOURCES].find((known) => known.kind === kind);
  if (type === undefined) throw new Error(`the suite makes no ${kind}`);
  return type;
}

function access(group: string, kind: string): ResourceType {
  const singular = kind.toLowerCase();
  return {
    group,
    version: 'v1',
    kind,
    singular,
    plural: `${singular}s`,
    shortNames: [],
    namespaced: true,
    verbs: [],
  };
}

export const SERVICE_ACCOUNTS = access('', 'ServiceAccount');
export const ROLES = access('rbac.authorization.k8s.io', 'Role');
export const ROLE_BINDINGS = access('rbac.authorization.k8s.io', 'RoleBinding');
const ACCESS_RESOURCES = [SERVICE_ACCOUNTS, ROLES, ROLE_BINDINGS];

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
