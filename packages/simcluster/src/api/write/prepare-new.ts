import type { PodSpec } from '../../controllers/objects.ts';
import { newPodStatus, withPodDefaults } from '../../controllers/pods/pod-defaults.ts';
import { withServiceDefaults } from '../../controllers/services/service-defaults.ts';
import { JOB_UID_LABEL, jobLabels } from '../../controllers/workloads/job-labels.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import { locallyAvailable } from '../aggregation/own-api-services.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { at, fields } from '../table/read.ts';

/**
 * Fills in what the server decides once, when it creates an object: addresses, selectors, the first status. Changes the
 * object.
 */
export function prepareNew(store: Store, type: ApiResource, object: StoredObject): void {
  const spec = fields(object.spec);
  switch (type.storedAs) {
    case 'pods':
      object.spec = withPodDefaults(spec as unknown as PodSpec);
      object.status = newPodStatus(object.spec as unknown as PodSpec) ?? {};
      break;
    case 'jobs.batch':
      selectOwnPods(object);
      break;
    case 'services':
      object.spec = withServiceDefaults(store, spec);
      object.status ??= { loadBalancer: {} };
      return;
    case 'namespaces':
      object.spec = { finalizers: ['kubernetes'] };
      object.status = { phase: 'Active' };
      return;
    case 'persistentvolumeclaims':
      object.status = { phase: 'Pending' };
      return;
    case 'customresourcedefinitions.apiextensions.k8s.io':
      object.status = acceptedDefinition(spec, object.metadata.creationTimestamp);
      break;
    case 'apiservices.apiregistration.k8s.io':
      object.status =
        (spec.service ?? undefined) === undefined
          ? { conditions: [locallyAvailable(object.metadata.creationTimestamp)] }
          : {};
      return;
    default:
      if (!COUNTED.includes(type.storedAs) && !type.custom) return;
  }
  object.metadata.generation = 1;
}

/** The resources with a generation, besides those above and custom ones. */
const COUNTED: readonly string[] = [
  'deployments.apps',
  'statefulsets.apps',
  'replicasets.apps',
  'daemonsets.apps',
  'replicationcontrollers',
  'cronjobs.batch',
  'poddisruptionbudgets.policy',
  'ingresses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
];

/** Makes a Job select its pods by the Job's uid, which its template therefore has as a label. */
function selectOwnPods(job: StoredObject): void {
  const spec: Record<string, unknown> = { ...job.spec };
  if (spec.selector !== undefined) return;
  const labels = jobLabels(job);
  spec.selector = { matchLabels: { [JOB_UID_LABEL]: job.metadata.uid } };
  const template = fields(spec.template);
  const metadata = fields(template.metadata);
  spec.template = {
    ...template,
    metadata: { ...metadata, labels: { ...fields(metadata.labels), ...labels } },
  };
  job.spec = spec;
  job.metadata.labels = { ...labels, ...job.metadata.labels };
}

function acceptedDefinition(spec: Readonly<Record<string, unknown>>, lastTransitionTime: string) {
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime,
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
