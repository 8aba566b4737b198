import { JOB_UID_LABEL, jobLabels } from '../controllers/job-labels.ts';
import type { PodSpec } from '../controllers/objects.ts';
import { newPodStatus, withPodDefaults, withTemplateDefaults } from '../controllers/pod-defaults.ts';
import { withServiceDefaults } from '../controllers/service-defaults.ts';
import type { Store, StoredObject } from '../store.ts';
import type { ApiResource } from './resources.ts';
import { at, fields } from './table/read.ts';

/** Fills in what the API server defaults at creation. Changes the object. */
export function applyDefaults(store: Store, type: ApiResource, object: StoredObject): void {
  const spec = object.spec ?? {};
  const template = at(spec, 'template');
  switch (type.storedAs) {
    case 'pods':
      object.spec = withPodDefaults(spec as unknown as PodSpec);
      object.status = newPodStatus(object.spec as unknown as PodSpec) ?? {};
      object.metadata.generation = 1;
      return;
    case 'deployments.apps':
      spec.replicas ??= 1;
      spec.strategy ??= { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } };
      spec.revisionHistoryLimit ??= 10;
      spec.progressDeadlineSeconds ??= 600;
      break;
    case 'statefulsets.apps':
      spec.replicas ??= 1;
      spec.podManagementPolicy ??= 'OrderedReady';
      spec.updateStrategy ??= { type: 'RollingUpdate', rollingUpdate: { partition: 0 } };
      spec.revisionHistoryLimit ??= 10;
      break;
    case 'replicasets.apps':
    case 'replicationcontrollers':
      spec.replicas ??= 1;
      break;
    case 'daemonsets.apps':
      spec.updateStrategy ??= { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } };
      spec.revisionHistoryLimit ??= 10;
      break;
    case 'jobs.batch':
      jobDefaults(object, spec);
      break;
    case 'cronjobs.batch':
      spec.concurrencyPolicy ??= 'Allow';
      spec.suspend ??= false;
      spec.successfulJobsHistoryLimit ??= 3;
      spec.failedJobsHistoryLimit ??= 1;
      break;
    case 'services':
      object.spec = withServiceDefaults(store, spec);
      object.status ??= { loadBalancer: {} };
      return;
    case 'namespaces':
      object.spec = { finalizers: ['kubernetes'] };
      object.status = { phase: 'Active' };
      object.metadata.labels = {
        'kubernetes.io/metadata.name': object.metadata.name,
        ...object.metadata.labels,
      };
      return;
    case 'customresourcedefinitions.apiextensions.k8s.io':
      object.status = acceptedDefinition(spec);
      break;
    default:
      return;
  }
  if (template !== undefined && Array.isArray(at(template, 'spec', 'containers'))) {
    const pod = withTemplateDefaults(at(template, 'spec') as PodSpec);
    // Read again: the defaults above may have given the template labels.
    spec.template = { ...fields(spec.template), spec: pod };
  }
  object.spec = spec;
  object.metadata.generation = 1;
}

/** A Job selects its pods by its own uid, which its template therefore carries. */
function jobDefaults(job: StoredObject, spec: Record<string, unknown>): void {
  spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  if (spec.selector !== undefined) return;
  const labels = jobLabels(job);
  spec.selector = { matchLabels: { [JOB_UID_LABEL]: job.metadata.uid } };
  const template = fields(spec.template);
  const metadata = fields(template.metadata);
  spec.template = {
    ...template,
    metadata: { ...metadata, labels: { ...fields(metadata.labels), ...labels } },
  };
  job.metadata.labels = { ...labels, ...job.metadata.labels };
}

function acceptedDefinition(spec: Record<string, unknown>) {
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    reason,
    message,
  });
  return {
    acceptedNames: spec.names,
    storedVersions: Array.isArray(spec.versions)
      ? spec.versions.slice(0, 1).map((version) => at(version, 'name'))
      : [],
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
  };
}
