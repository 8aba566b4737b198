import { type PodSpec, resourceOfKind } from '../controllers/objects.ts';
import { newPodStatus, withPodDefaults } from '../controllers/pods/pod-defaults.ts';
import { podTemplate, selectorOf } from './pod-template.ts';
import type { ScenarioWorkload } from './schema.ts';

export interface NewObject {
  readonly resource: string;
  readonly object: {
    metadata: { name: string; namespace?: string; [field: string]: unknown };
    [field: string]: unknown;
  };
}

/** Returns the objects that a user would apply for a workload; controllers create the rest. */
export function workloadObjects(workload: ScenarioWorkload, namespace: string): readonly NewObject[] {
  const own = workloadObject(workload, namespace);
  return workload.service === undefined ? [own] : [own, serviceObject(workload, namespace, workload.service)];
}

/** Returns the store's resource name of a workload: `deployments.apps`, `rollouts.argoproj.io`. */
export function workloadResource(workload: Pick<ScenarioWorkload, 'kind' | 'apiVersion' | 'plural'>): string {
  const known = resourceOfKind(workload.kind);
  if (known !== undefined && workload.plural === undefined) return known;
  const group = workload.apiVersion?.split('/')[0] ?? 'example.com';
  return `${workload.plural ?? `${workload.kind.toLowerCase()}s`}.${group}`;
}

function workloadObject(workload: ScenarioWorkload, namespace: string): NewObject {
  const { kind, name } = workload;
  const metadata = {
    name,
    namespace,
    generation: 1,
    labels: { ...selectorOf(workload), ...workload.labels },
  };
  const resource = workloadResource(workload);
  const template = podTemplate(workload);
  const spec = specOf(workload, template);
  const apiVersion = workload.apiVersion ?? apiVersionOf(resource);
  if (kind === 'Pod')
    return {
      resource,
      object: { ...podObject(workload, namespace), metadata: { ...metadata, ...podMetadata(template) } },
    };
  if (kind === 'Service') {
    const selector = workload.selector ?? selectorOf(workload);
    return {
      resource,
      object: serviceObject({ ...workload, selector }, namespace, { port: 80, headless: false }).object,
    };
  }
  return { resource, object: { apiVersion, kind, metadata, spec, status: statusOf(kind) } };
}

function podMetadata(template: ReturnType<typeof podTemplate>) {
  const { labels, annotations } = template.metadata ?? {};
  return { labels, ...(annotations === undefined ? {} : { annotations }) };
}

function podObject(workload: ScenarioWorkload, _namespace: string) {
  const spec: PodSpec = withPodDefaults(podTemplate(workload).spec);
  return { apiVersion: 'v1', kind: 'Pod', spec, status: newPodStatus(spec) };
}

type Template = ReturnType<typeof podTemplate>;
type Spec = Record<string, unknown>;

/** Specs by kind; every other kind has replicas, a selector and a template. */
const SPECS: Readonly<Record<string, (workload: ScenarioWorkload, template: Template) => Spec>> = {
  Deployment: (workload, template) => ({
    ...replicated(workload, template),
    strategy: {
      type: 'RollingUpdate',
      rollingUpdate: {
        maxUnavailable: workload.maxUnavailable ?? '25%',
        maxSurge: workload.maxSurge ?? '25%',
      },
    },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: workload.progressDeadlineSeconds,
  }),
  StatefulSet: (workload, template) => ({
    ...replicated(workload, template),
    serviceName: workload.name,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    revisionHistoryLimit: 10,
  }),
  DaemonSet: (workload, template) => ({
    selector: { matchLabels: selectorOf(workload) },
    template,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    revisionHistoryLimit: 10,
  }),
  Job: jobSpec,
  CronJob: (workload, template) => ({
    schedule: workload.schedule ?? '*/5 * * * *',
    concurrencyPolicy: 'Allow',
    suspend: false,
    jobTemplate: { metadata: {}, spec: jobSpec(workload, template) },
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  }),
  ReplicationController: (workload, template) => ({
    replicas: workload.replicas,
    selector: selectorOf(workload),
    template,
  }),
};

function specOf(workload: ScenarioWorkload, template: Template): Spec {
  return (SPECS[workload.kind] ?? replicated)(workload, template);
}

function replicated(workload: ScenarioWorkload, template: Template): Spec {
  return { replicas: workload.replicas, selector: { matchLabels: selectorOf(workload) }, template };
}

function jobSpec(workload: ScenarioWorkload, template: Template): Spec {
  return {
    parallelism: workload.parallelism ?? 1,
    completions: workload.completions ?? 1,
    backoffLimit: workload.backoffLimit ?? 6,
    ...(workload.activeDeadlineSeconds === undefined
      ? {}
      : { activeDeadlineSeconds: workload.activeDeadlineSeconds }),
    completionMode: 'NonIndexed',
    suspend: false,
    template,
  };
}

function statusOf(kind: string): Record<string, unknown> {
  return kind === 'ReplicaSet' || kind === 'StatefulSet' || kind === 'ReplicationController'
    ? { replicas: 0 }
    : {};
}

function apiVersionOf(resource: string): string {
  const group = resource.slice(resource.indexOf('.') + 1);
  return resource.includes('.') ? `${group}/v1` : 'v1';
}

function serviceObject(
  workload: ScenarioWorkload,
  namespace: string,
  service: NonNullable<ScenarioWorkload['service']>,
): NewObject {
  const port = workload.containers.find((c) => c.port !== undefined)?.port;
  return {
    resource: 'services',
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: workload.name, namespace, labels: selectorOf(workload) },
      spec: {
        ports: [
          {
            name: 'main',
            protocol: 'TCP',
            port: service.port,
            targetPort: service.targetPort ?? port ?? service.port,
          },
        ],
        selector: workload.selector ?? selectorOf(workload),
        ...(service.headless ? { clusterIP: 'None' } : {}),
      },
      status: { loadBalancer: {} },
    },
  };
}

/** Returns the CustomResourceDefinition of a scenario's own kind. */
export function definitionObject(workload: ScenarioWorkload): NewObject | undefined {
  if (resourceOfKind(workload.kind) !== undefined && workload.plural === undefined) return undefined;
  const resource = workloadResource(workload);
  const plural = resource.slice(0, resource.indexOf('.'));
  const group = resource.slice(resource.indexOf('.') + 1);
  const version = workload.apiVersion?.split('/')[1] ?? 'v1';
  const names = {
    plural,
    singular: workload.kind.toLowerCase(),
    kind: workload.kind,
    listKind: `${workload.kind}List`,
    ...(workload.shortNames.length === 0 ? {} : { shortNames: workload.shortNames }),
  };
  return {
    resource: 'customresourcedefinitions.apiextensions.k8s.io',
    object: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: resource },
      spec: {
        group,
        scope: 'Namespaced',
        names,
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            subresources: {
              status: {},
              scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
            },
          },
        ],
      },
      status: {
        conditions: [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted' }],
        acceptedNames: names,
        storedVersions: [version],
      },
    },
  };
}
