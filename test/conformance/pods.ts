/** Pods of the conformance suite: plain busybox shell, so that any cluster (and the simulated one) can run them. */
export interface PodOptions {
  readonly image: string;
  readonly imagePullPolicy?: string | undefined;
  readonly hostNetwork?: boolean | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
}

type Container = Readonly<Record<string, unknown>>;

/** One container that runs a shell script. */
export function shell(name: string, script: string, options: PodOptions): Container {
  return {
    name,
    image: options.image,
    ...(options.imagePullPolicy === undefined ? {} : { imagePullPolicy: options.imagePullPolicy }),
    command: ['sh', '-c', script],
    resources: { requests: { cpu: '5m', memory: '8Mi' } },
  };
}

/** The spec of a pod, with what the caller's cluster needs (node selector, host network). */
export function podSpec(
  options: PodOptions,
  containers: readonly Container[],
  rest: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
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

export function deployment(name: string, replicas: number, spec: unknown): unknown {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

export function job(name: string, spec: unknown): unknown {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { backoffLimit: 0, template: { metadata: { labels: { app: name } }, spec } },
  };
}
