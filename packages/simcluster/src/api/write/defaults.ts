import type { Store, StoredObject } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { openApiSchema } from '../schema/custom-schema.ts';
import { withCustomDefaults } from '../schema/custom-values.ts';
import { definitionOf } from '../schema/schema.ts';
import { array, at, type Fields, fields, text } from '../table/read.ts';
import { podSpecWithDefaults } from './pod-template-defaults.ts';

type Spec = Record<string, unknown>;

const RBAC = 'rbac.authorization.k8s.io';

/**
 * Fills in the API server's defaults for an object (defaults.go of each group); keeps existing values. Changes the
 * object, but no value inside it.
 */
export function fillDefaults(store: Store, type: ApiResource, object: StoredObject): void {
  if (type.custom) {
    const definition = definitionOf(store, type);
    const schema = definition === undefined ? undefined : openApiSchema(definition, type.version);
    Object.assign(object, withCustomDefaults(schema, object));
    return;
  }
  const fill = DEFAULTS[type.storedAs];
  if (fill !== undefined) fill(object);
}

type Fill = (object: StoredObject) => void;

function onSpec(fill: (spec: Spec) => void): Fill {
  return (object) => {
    if (object.spec === undefined) return;
    object.spec = { ...object.spec };
    fill(object.spec);
  };
}

const DEFAULTS: Readonly<Record<string, Fill>> = {
  pods: (object) => {
    if (Array.isArray(at(object.spec, 'containers'))) {
      object.spec = { ...podSpecWithDefaults(fields(object.spec)) };
      object.spec.enableServiceLinks ??= true;
    }
  },
  'deployments.apps': onSpec((spec) => {
    spec.replicas ??= 1;
    fillTemplate(spec);
    spec.strategy = rolling(spec.strategy, { maxUnavailable: '25%', maxSurge: '25%' });
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
  }),
  'statefulsets.apps': onSpec((spec) => {
    spec.replicas ??= 1;
    fillTemplate(spec);
    spec.podManagementPolicy ??= 'OrderedReady';
    spec.updateStrategy = rolling(spec.updateStrategy, { partition: 0 });
    spec.revisionHistoryLimit ??= 10;
    spec.persistentVolumeClaimRetentionPolicy ??= { whenDeleted: 'Retain', whenScaled: 'Retain' };
    if (Array.isArray(spec.volumeClaimTemplates)) {
      spec.volumeClaimTemplates = array(spec.volumeClaimTemplates).map(claimTemplate);
    }
  }),
  'daemonsets.apps': onSpec((spec) => {
    fillTemplate(spec);
    spec.updateStrategy = rolling(spec.updateStrategy, { maxUnavailable: 1, maxSurge: 0 });
    spec.revisionHistoryLimit ??= 10;
  }),
  'replicasets.apps': onSpec((spec) => {
    spec.replicas ??= 1;
    fillTemplate(spec);
  }),
  replicationcontrollers: onSpec((spec) => {
    spec.replicas ??= 1;
    fillTemplate(spec);
  }),
  'jobs.batch': onSpec(fillJob),
  'cronjobs.batch': onSpec((spec) => {
    spec.concurrencyPolicy ??= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    const job = fields(at(spec.jobTemplate, 'spec'));
    if (at(job, 'template') === undefined) return;
    const jobSpec: Spec = { ...job };
    fillTemplate(jobSpec);
    spec.jobTemplate = { ...fields(spec.jobTemplate), spec: jobSpec };
  }),
  services: onSpec(fillService),
  namespaces: (object) => {
    const name = { 'kubernetes.io/metadata.name': object.metadata.name };
    object.metadata = { ...object.metadata, labels: { ...object.metadata.labels, ...name } };
  },
  secrets: (object) => {
    const given = fields(object.stringData);
    if (object.stringData !== undefined) {
      const encoded = Object.entries(given).map(([key, value]) => [
        key,
        Buffer.from(text(value)).toString('base64'),
      ]);
      object.data = { ...fields(object.data), ...Object.fromEntries(encoded) };
      delete object.stringData;
    }
    object.type ??= 'Opaque';
  },
  persistentvolumeclaims: onSpec((spec) => {
    spec.volumeMode ??= 'Filesystem';
  }),
  persistentvolumes: onSpec((spec) => {
    spec.volumeMode ??= 'Filesystem';
    spec.persistentVolumeReclaimPolicy ??= 'Retain';
  }),
  'horizontalpodautoscalers.autoscaling': onSpec((spec) => {
    spec.minReplicas ??= 1;
  }),
  'networkpolicies.networking.k8s.io': onSpec((spec) => {
    if (Array.isArray(spec.policyTypes) && spec.policyTypes.length > 0) return;
    spec.policyTypes = ['Ingress', ...(spec.egress === undefined ? [] : ['Egress'])];
  }),
  'rolebindings.rbac.authorization.k8s.io': fillBinding,
  'clusterrolebindings.rbac.authorization.k8s.io': fillBinding,
  'storageclasses.storage.k8s.io': (object) => {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  },
  'priorityclasses.scheduling.k8s.io': (object) => {
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  'customresourcedefinitions.apiextensions.k8s.io': onSpec((spec) => {
    spec.conversion ??= { strategy: 'None' };
    const names = fields(spec.names);
    const kind = text(names.kind);
    spec.names = {
      ...names,
      singular: names.singular ?? kind.toLowerCase(),
      listKind: names.listKind ?? `${kind}List`,
    };
  }),
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': (object) =>
    fillWebhooks(object, { reinvocationPolicy: 'Never' }),
  'validatingwebhookconfigurations.admissionregistration.k8s.io': (object) => fillWebhooks(object, {}),
};

function fillTemplate(spec: Spec): void {
  const template = fields(spec.template);
  if (!Array.isArray(at(template, 'spec', 'containers'))) return;
  spec.template = { ...template, spec: podSpecWithDefaults(fields(template.spec)) };
}

function rolling(strategy: unknown, rollingUpdate: Fields): Fields {
  const given = fields(strategy);
  const type = given.type ?? 'RollingUpdate';
  if (type !== 'RollingUpdate') return { ...given, type };
  return { ...given, type, rollingUpdate: { ...rollingUpdate, ...fields(given.rollingUpdate) } };
}

function claimTemplate(claim: Fields): Fields {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    ...claim,
    spec: { volumeMode: 'Filesystem', ...fields(claim.spec) },
    status: { phase: 'Pending', ...fields(claim.status) },
  };
}

function fillJob(spec: Spec): void {
  // Without both, one pod must succeed. With only parallelism, the Job is a queue that is empty after any success.
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= 'TerminatingOrFailed';
  fillTemplate(spec);
}

function fillService(spec: Spec): void {
  spec.type ??= 'ClusterIP';
  spec.sessionAffinity ??= 'None';
  if (Array.isArray(spec.ports)) {
    spec.ports = array(spec.ports).map((port) => ({
      ...port,
      protocol: port.protocol ?? 'TCP',
      targetPort: port.targetPort ?? port.port,
    }));
  }
  if (spec.type === 'ExternalName') return;
  spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'ClusterIP') spec.externalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function fillBinding(object: StoredObject): void {
  object.roleRef = { ...fields(object.roleRef), apiGroup: at(object.roleRef, 'apiGroup') ?? RBAC };
  if (!Array.isArray(object.subjects)) return;
  object.subjects = array(object.subjects).map((subject) =>
    subject.kind === 'ServiceAccount' || subject.apiGroup !== undefined
      ? subject
      : { ...subject, apiGroup: RBAC },
  );
}

function fillWebhooks(object: StoredObject, more: Fields): void {
  if (!Array.isArray(object.webhooks)) return;
  object.webhooks = array(object.webhooks).map((hook) => ({
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
    ...more,
    ...hook,
    ...(Array.isArray(hook.rules)
      ? { rules: array(hook.rules).map((rule) => ({ ...rule, scope: rule.scope ?? '*' })) }
      : {}),
  }));
}
