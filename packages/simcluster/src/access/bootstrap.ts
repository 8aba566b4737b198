import type { Store } from '../store/store.ts';
import type { PolicyRule } from './rbac.ts';

const RBAC = 'rbac.authorization.k8s.io';
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const WORKLOADS: readonly PolicyRule[] = [
  {
    apiGroups: [''],
    resources: [
      'configmaps',
      'endpoints',
      'events',
      'persistentvolumeclaims',
      'pods',
      'replicationcontrollers',
      'serviceaccounts',
      'services',
    ],
  },
  {
    apiGroups: ['apps'],
    resources: [
      'controllerrevisions',
      'daemonsets',
      'deployments',
      'deployments/scale',
      'replicasets',
      'replicasets/scale',
      'statefulsets',
      'statefulsets/scale',
    ],
  },
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'] },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'] },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'] },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'] },
];
const VIEW: readonly PolicyRule[] = [
  ...WORKLOADS.map((rule) => ({ ...rule, verbs: READ })),
  { apiGroups: [''], resources: ['pods/log', 'pods/status', 'namespaces'], verbs: READ },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
];
const EDIT: readonly PolicyRule[] = [
  ...VIEW,
  ...WORKLOADS.map((rule) => ({ ...rule, verbs: WRITE })),
  { apiGroups: [''], resources: ['secrets'], verbs: [...READ, ...WRITE] },
  { apiGroups: [''], resources: ['pods/eviction', 'serviceaccounts/token'], verbs: ['create'] },
];
const ADMIN: readonly PolicyRule[] = [
  ...EDIT,
  { apiGroups: [RBAC], resources: ['roles', 'rolebindings'], verbs: [...READ, ...WRITE] },
];

const PUBLIC_PATHS = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

/** Roles that every cluster has (kubernetes.io/docs/reference/access-authn-authz/rbac: default roles). */
const ROLES: Readonly<Record<string, readonly PolicyRule[]>> = {
  'cluster-admin': [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
  admin: ADMIN,
  edit: EDIT,
  view: VIEW,
  'system:basic-user': [
    {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    },
    { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
  ],
  'system:discovery': [
    {
      verbs: ['get'],
      nonResourceURLs: [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ],
    },
  ],
  'system:auth-delegator': [
    { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] },
    { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'] },
  ],
  'system:public-info-viewer': [{ verbs: ['get'], nonResourceURLs: PUBLIC_PATHS }],
  'system:service-account-issuer-discovery': [
    { verbs: ['get'], nonResourceURLs: ['/.well-known', '/.well-known/*'] },
  ],
};

const BINDINGS: readonly (readonly [string, readonly string[]])[] = [
  ['cluster-admin', ['system:masters']],
  ['system:basic-user', ['system:authenticated']],
  ['system:discovery', ['system:authenticated']],
  ['system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']],
  ['system:service-account-issuer-discovery', ['system:authenticated']],
];

/** Creates the roles and bindings that every cluster has, if the store lacks them. */
export function bootstrapRoles(store: Store): void {
  const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
  const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };
  for (const [name, rules] of Object.entries(ROLES)) {
    if (store.get(`clusterroles.${RBAC}`, undefined, name) !== undefined) continue;
    store.create(`clusterroles.${RBAC}`, {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name, labels, annotations },
      rules,
    });
  }
  for (const [name, groups] of BINDINGS) {
    if (store.get(`clusterrolebindings.${RBAC}`, undefined, name) !== undefined) continue;
    store.create(`clusterrolebindings.${RBAC}`, {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name, labels, annotations },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
      subjects: groups.map((group) => ({ kind: 'Group', apiGroup: RBAC, name: group })),
    });
  }
}
