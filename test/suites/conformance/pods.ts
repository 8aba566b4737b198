import { BEHAVIOR_VARIABLE } from '@logtool/simcluster/src/controllers/pods/behaviors.ts';
import { type Behavior, STATE_FOLDER, scriptOf } from './script-of.ts';

/** Options for the pods of the conformance suite, which any cluster, real or simulated, can run. */
export interface PodOptions {
  readonly image: string;
  readonly imagePullPolicy?: string | undefined;
  readonly hostNetwork?: boolean | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
}

/** Reads the pod options from the flags of `npm run test:cluster`. */
export function readPodOptions(env: NodeJS.ProcessEnv): PodOptions {
  const selector = env.LOGTOOL_TEST_NODE_SELECTOR;
  return {
    image: env.LOGTOOL_TEST_IMAGE ?? 'busybox:stable',
    imagePullPolicy: env.LOGTOOL_TEST_IMAGE_PULL_POLICY,
    hostNetwork: env.LOGTOOL_TEST_HOST_NETWORK === '1',
    nodeSelector: selector === undefined ? undefined : JSON.parse(selector),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes one container. A real cluster runs the script in a busybox shell; the simulated one reads the
 * environment.
 */
export function container(name: string, behavior: Behavior, options: PodOptions, rest: Fields = {}): Fields {
  return {
    name,
    image: options.image,
    ...(options.imagePullPolicy === undefined ? {} : { imagePullPolicy: options.imagePullPolicy }),
    command: ['sh', '-c', scriptOf(behavior)],
    env: [{ name: BEHAVIOR_VARIABLE, value: JSON.stringify(behavior) }],
    resources: { requests: { cpu: '5m', memory: '8Mi' } },
    ...rest,
  };
}

/** Volumes that a container with several runs, and its pod, need to count the runs on a real cluster. */
export const COUNTED_RUNS = {
  container: { volumeMounts: [{ name: 'state', mountPath: STATE_FOLDER }] },
  pod: { volumes: [{ name: 'state', emptyDir: {} }] },
};

/** Makes the spec of a pod, with the settings of the caller's cluster (node selector, host network). */
export function podSpec(options: PodOptions, containers: readonly Fields[], rest: Fields = {}): Fields {
  return {
    terminationGracePeriodSeconds: 1,
    ...(options.hostNetwork === true ? { hostNetwork: true } : {}),
    ...(options.nodeSelector === undefined ? {} : { nodeSelector: options.nodeSelector }),
    containers,
    ...rest,
  };
}

export function pod(name: string, spec: unknown, labels: Readonly<Record<string, string>> = {}): unknown {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec };
}

function workload(kind: string, name: string, spec: unknown, rest: Fields): unknown {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: { ...rest, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

export function deployment(name: string, replicas: number, spec: unknown): unknown {
  return workload('Deployment', name, spec, { replicas });
}

export function statefulSet(name: string, replicas: number, spec: unknown): unknown {
  return workload('StatefulSet', name, spec, {
    replicas,
    serviceName: name,
    podManagementPolicy: 'Parallel',
  });
}

export function daemonSet(name: string, spec: unknown): unknown {
  return workload('DaemonSet', name, spec, {});
}

function jobSpec(name: string, spec: unknown, rest: Fields): Fields {
  return { backoffLimit: 0, ...rest, template: { metadata: { labels: { app: name } }, spec } };
}

export function job(name: string, spec: unknown, rest: Fields = {}): unknown {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: jobSpec(name, spec, rest) };
}

/** Makes a cron job that never starts by itself. */
export function cronJob(name: string, spec: unknown): unknown {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: { schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: jobSpec(name, spec, {}) } },
  };
}
