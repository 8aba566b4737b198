import {
  boolean,
  bytesMap,
  count,
  flag,
  ignored,
  inline,
  intOrText,
  type MessageShape,
  message,
  messages,
  number,
  quantity,
  quantityMap,
  text,
  textList,
  textMap,
  texts,
} from './protobuf-fields.ts';
import { LABEL_SELECTOR, METADATA } from './protobuf-meta.ts';
import { POD_TEMPLATE } from './protobuf-pod.ts';

const RESOURCE_ATTRIBUTES = texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name');
const STATUS = ignored('status');

const JOB_SPEC: MessageShape = {
  1: number('parallelism'),
  2: number('completions'),
  3: number('activeDeadlineSeconds'),
  4: message('selector', LABEL_SELECTOR),
  5: boolean('manualSelector'),
  6: POD_TEMPLATE,
  7: number('backoffLimit'),
  8: number('ttlSecondsAfterFinished'),
  9: text('completionMode'),
  10: boolean('suspend'),
  14: text('podReplacementPolicy'),
};

const BACKEND: MessageShape = {
  3: message('resource', texts('apiGroup', 'kind', 'name')),
  4: message('service', { 1: text('name'), 2: message('port', { 1: text('name'), 2: count('number') }) }),
};

const RULES = messages('rules', {
  1: textList('verbs'),
  2: textList('apiGroups'),
  3: textList('resources'),
  4: textList('resourceNames'),
  5: textList('nonResourceURLs'),
});
const BINDING: MessageShape = {
  1: METADATA,
  2: messages('subjects', texts('kind', 'apiGroup', 'name', 'namespace')),
  3: message('roleRef', texts('apiGroup', 'kind', 'name')),
};

/** The kinds that kubectl's own commands post as protobuf (k8s.io/api: generated.proto of each group). */
export const MESSAGE_SHAPES: Readonly<Record<string, MessageShape>> = {
  SelfSubjectAccessReview: {
    1: ignored('metadata'),
    2: message('spec', {
      1: message('resourceAttributes', RESOURCE_ATTRIBUTES),
      2: message('nonResourceAttributes', texts('path', 'verb')),
    }),
    3: STATUS,
  },
  SelfSubjectRulesReview: { 1: ignored('metadata'), 2: message('spec', texts('namespace')), 3: STATUS },
  SelfSubjectReview: { 1: ignored('metadata'), 2: STATUS },
  Namespace: { 1: METADATA, 2: ignored('spec'), 3: STATUS },
  ServiceAccount: {
    1: METADATA,
    3: messages('imagePullSecrets', texts('name')),
    4: boolean('automountServiceAccountToken'),
  },
  ConfigMap: { 1: METADATA, 2: textMap('data'), 3: bytesMap('binaryData'), 4: boolean('immutable') },
  Secret: {
    1: METADATA,
    2: bytesMap('data'),
    3: text('type'),
    4: textMap('stringData'),
    5: boolean('immutable'),
  },
  Service: {
    1: METADATA,
    2: message('spec', {
      1: messages('ports', {
        1: text('name'),
        2: text('protocol'),
        3: count('port'),
        4: intOrText('targetPort'),
        5: count('nodePort'),
        6: text('appProtocol'),
      }),
      2: textMap('selector'),
      3: text('clusterIP'),
      4: text('type'),
      5: textList('externalIPs'),
      7: text('sessionAffinity'),
      8: text('loadBalancerIP'),
      9: textList('loadBalancerSourceRanges'),
      10: text('externalName'),
      11: text('externalTrafficPolicy'),
      12: count('healthCheckNodePort'),
      13: flag('publishNotReadyAddresses'),
      17: text('ipFamilyPolicy'),
      18: textList('clusterIPs'),
      19: textList('ipFamilies'),
      20: boolean('allocateLoadBalancerNodePorts'),
      21: text('loadBalancerClass'),
      22: text('internalTrafficPolicy'),
      23: text('trafficDistribution'),
    }),
    3: STATUS,
  },
  ResourceQuota: {
    1: METADATA,
    2: message('spec', { 1: quantityMap('hard'), 2: textList('scopes') }),
    3: STATUS,
  },
  Deployment: {
    1: METADATA,
    2: message('spec', {
      1: number('replicas'),
      2: message('selector', LABEL_SELECTOR),
      3: POD_TEMPLATE,
      4: message('strategy', {
        1: text('type'),
        2: message('rollingUpdate', { 1: intOrText('maxUnavailable'), 2: intOrText('maxSurge') }),
      }),
      5: count('minReadySeconds'),
      6: number('revisionHistoryLimit'),
      7: flag('paused'),
      9: number('progressDeadlineSeconds'),
    }),
    3: STATUS,
  },
  Job: { 1: METADATA, 2: message('spec', JOB_SPEC), 3: STATUS },
  CronJob: {
    1: METADATA,
    2: message('spec', {
      1: text('schedule'),
      2: number('startingDeadlineSeconds'),
      3: text('concurrencyPolicy'),
      4: boolean('suspend'),
      5: message('jobTemplate', { 1: METADATA, 2: message('spec', JOB_SPEC) }),
      6: number('successfulJobsHistoryLimit'),
      7: number('failedJobsHistoryLimit'),
      8: text('timeZone'),
    }),
    3: STATUS,
  },
  Role: { 1: METADATA, 2: RULES },
  ClusterRole: {
    1: METADATA,
    2: RULES,
    3: message('aggregationRule', { 1: messages('clusterRoleSelectors', LABEL_SELECTOR) }),
  },
  RoleBinding: BINDING,
  ClusterRoleBinding: BINDING,
  Ingress: {
    1: METADATA,
    2: message('spec', {
      1: message('defaultBackend', BACKEND),
      2: messages('tls', { 1: textList('hosts'), 2: text('secretName') }),
      3: messages('rules', {
        1: text('host'),
        2: inline('ingressRuleValue', {
          1: message('http', {
            1: messages('paths', { 1: text('path'), 2: message('backend', BACKEND), 3: text('pathType') }),
          }),
        }),
      }),
      4: text('ingressClassName'),
    }),
    3: STATUS,
  },
  PodDisruptionBudget: {
    1: METADATA,
    2: message('spec', {
      1: intOrText('minAvailable'),
      2: message('selector', LABEL_SELECTOR),
      3: intOrText('maxUnavailable'),
      4: text('unhealthyPodEvictionPolicy'),
    }),
    3: STATUS,
  },
  HorizontalPodAutoscaler: {
    1: METADATA,
    2: message('spec', {
      1: message('scaleTargetRef', texts('kind', 'name', 'apiVersion')),
      2: number('minReplicas'),
      3: count('maxReplicas'),
      4: messages('metrics', {
        1: text('type'),
        4: message('resource', {
          1: text('name'),
          2: message('target', {
            1: text('type'),
            2: quantity('value'),
            3: quantity('averageValue'),
            4: number('averageUtilization'),
          }),
        }),
      }),
    }),
    3: STATUS,
  },
  DeleteOptions: {
    1: number('gracePeriodSeconds'),
    2: message('preconditions', texts('uid', 'resourceVersion')),
    3: boolean('orphanDependents'),
    4: text('propagationPolicy'),
    5: textList('dryRun'),
    6: ignored('ignoreStoreReadErrorWithClusterBreakingPotential'),
  },
};
