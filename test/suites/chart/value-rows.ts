import { expect } from 'vitest';

/**
 * An object (its kind, plus its component after a colon if the kind has several), a path in it, and the
 * content there with the row's value and with the default.
 */
type Shown = readonly [object: string, path: string, own: unknown, plain: unknown];

/** A key of the chart's values, a value other than its default, and where the rendered objects show it. */
export type Row = readonly [key: string, value: unknown, first: Shown, ...more: Shown[]];

const POD = 'spec/template/spec';
const CONTAINER = `${POD}/containers/0`;
const ARGS = `${CONTAINER}/args`;
const TEST = 'spec/containers/0';
const PATHS = 'spec/rules/0/http/paths/0';

const NAMES = ['own-name', 'own-name.ops', 'own-name.ops.svc', 'own-name.ops.svc.cluster.local'];
const HOSTS = [...NAMES, 'logs.example.com', 'route.example.com', 'extra.example.com'].join();
const PLAIN_NAMES = 'r-logtool,r-logtool.ops,r-logtool.ops.svc,r-logtool.ops.svc.cluster.local';

const READERS = [
  { kind: 'Group', name: 'oncall' },
  { kind: 'ServiceAccount', name: 'bot', namespace: 'shop' },
];
const PULL_SECRETS = [{ name: 'registry' }, { name: 'mirror' }, { name: 'other' }];
const IMAGE = 'own.example.com/team/logs:9.9.9';
const PLAIN_IMAGE = expect.stringMatching(/^ghcr\.io\/logtool\/logtool:\d+\.\d+\.\d+\S*$/);
const POD_SECURITY = {
  runAsNonRoot: false,
  runAsUser: 65533,
  runAsGroup: 65534,
  fsGroup: 65535,
  seccompProfile: { type: 'Unconfined' },
};
const PLAIN_POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: 65532,
  runAsGroup: 65532,
  seccompProfile: { type: 'RuntimeDefault' },
};
const SECURITY = {
  allowPrivilegeEscalation: true,
  readOnlyRootFilesystem: false,
  runAsUser: 65533,
  capabilities: { drop: ['NET_RAW'] },
};
const PLAIN_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const RESOURCES = { requests: { cpu: '75m', memory: '256Mi' }, limits: { memory: '1Gi' } };
const PLAIN_RESOURCES = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } };
const LIVENESS = { periodSeconds: 11, timeoutSeconds: 4, failureThreshold: 7 };
const READINESS = { periodSeconds: 6, timeoutSeconds: 2, failureThreshold: 5 };
const AFFINITY = {
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
};
const SPREAD = [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }];
const PEERS = [{ namespaceSelector: { matchLabels: { team: 'ops' } } }];
const SCRAPERS = [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }];
const GATEWAYS = [{ name: 'public', namespace: 'gateways' }];
const TLS = [{ secretName: 'logs-tls', hosts: ['logs.example.com'] }];
const VOLUME = { name: 'scratch', emptyDir: { medium: 'Memory' } };
const MOUNT = { name: 'scratch', mountPath: '/scratch' };
const SIDECAR = { name: 'proxy', image: 'proxy:1' };
const FILTERS = [{ type: 'RequestHeaderModifier' }];
const ALIASES = [{ ip: '10.0.0.1', hostnames: ['api.example.com'] }];
const STRATEGY = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } };

/** Matches metadata that has at least these fields. */
const having = (fields: object) => expect.objectContaining(fields);
const lacking = (fields: object) => expect.not.objectContaining(fields);
const egress = (...ports: readonly number[]) => [
  { port: 53, protocol: 'UDP' },
  ...[53, ...ports].map((port) => ({ port, protocol: 'TCP' })),
];

/** Values that can be combined. */
const TOGETHER: readonly Row[] = [
  [
    'global.imagePullSecrets',
    ['mirror', { name: 'other' }],
    ['Pod', 'spec/imagePullSecrets', PULL_SECRETS, undefined],
  ],
  [
    'fullnameOverride',
    'own-name',
    ['Deployment', 'metadata/name', 'own-name', 'r-logtool'],
    ['Service:dashboard', 'metadata/name', 'own-name', 'r-logtool'],
    ['ServiceAccount', 'metadata/name', 'own-account', 'r-logtool'],
    ['Secret', 'metadata/name', 'own-name-session', 'r-logtool-session'],
    ['NetworkPolicy', 'metadata/name', 'own-name', 'r-logtool'],
    ['PodDisruptionBudget', 'metadata/name', 'own-name', 'r-logtool'],
    ['Pod', 'metadata/name', 'own-name-test', 'r-logtool-test'],
    ['Ingress', 'metadata/name', 'own-name', undefined],
    ['Ingress', `${PATHS}/backend/service/name`, 'own-name', undefined],
    ['HTTPRoute', 'spec/rules/0/backendRefs/0/name', 'own-name', undefined],
    ['Service:metrics', 'metadata/name', 'own-name-metrics', undefined],
    ['RoleBinding', 'roleRef/name', 'own-name-reader', undefined],
  ],
  [
    'commonLabels',
    { team: 'ops' },
    ['Deployment', 'metadata/labels', having({ team: 'ops' }), lacking({ team: 'ops' })],
    ['Deployment', 'spec/template/metadata/labels/team', 'ops', undefined],
    ['Pod', 'metadata/labels/team', 'ops', undefined],
    ['Role', 'metadata/labels/team', 'ops', undefined],
    ['Secret', 'metadata/labels/team', 'ops', undefined],
  ],
  [
    'commonAnnotations',
    { team: 'ops' },
    ['Deployment', 'metadata/annotations', { team: 'ops' }, undefined],
    ['Pod', 'metadata/annotations/team', 'ops', undefined],
    ['RoleBinding', 'metadata/annotations', { team: 'ops' }, undefined],
  ],
  ['image.registry', 'own.example.com', ['Deployment', `${CONTAINER}/image`, IMAGE, PLAIN_IMAGE]],
  ['image.repository', 'team/logs', ['Pod', `${TEST}/image`, IMAGE, PLAIN_IMAGE]],
  ['image.tag', '9.9.9', ['Deployment', `${CONTAINER}/image`, IMAGE, PLAIN_IMAGE]],
  [
    'image.pullPolicy',
    'Always',
    ['Deployment', `${CONTAINER}/imagePullPolicy`, 'Always', 'IfNotPresent'],
    ['Pod', `${TEST}/imagePullPolicy`, 'Always', 'IfNotPresent'],
  ],
  ['image.pullSecrets', ['registry'], ['Deployment', `${POD}/imagePullSecrets`, PULL_SECRETS, undefined]],
  [
    'allowedNamespaces',
    ['shop', 'data'],
    ['Deployment', `${ARGS}/--allowed-namespaces`, 'shop,data', undefined],
    ['Role', 'metadata/namespace', 'shop', undefined],
    ['RoleBinding', 'metadata/namespace', 'shop', undefined],
  ],
  ['readers', READERS, ['RoleBinding', 'subjects', READERS, undefined]],
  ['dashboard.replicas', 3, ['Deployment', 'spec/replicas', 3, 1]],
  [
    'dashboard.basePath',
    '/logs',
    ['Deployment', `${ARGS}/--base-path`, '/logs', undefined],
    ['Deployment', `${CONTAINER}/startupProbe/httpGet`, { path: '/logs/healthz', port: 'http' }, undefined],
    ['Deployment', `${CONTAINER}/livenessProbe/httpGet/path`, '/logs/healthz', '/healthz'],
    ['Deployment', `${CONTAINER}/readinessProbe/httpGet/path`, '/logs/healthz', '/healthz'],
    ['Ingress', `${PATHS}/path`, '/logs', undefined],
    ['HTTPRoute', 'spec/rules/0/matches', [{ path: { type: 'PathPrefix', value: '/logs' } }], undefined],
  ],
  [
    'dashboard.allowedHosts',
    ['extra.example.com'],
    ['Deployment', `${ARGS}/--allowed-host`, HOSTS, PLAIN_NAMES],
  ],
  ['dashboard.logLevel', 'debug', ['Deployment', `${ARGS}/--log-level`, 'debug', 'info']],
  ['dashboard.host', '::', ['Deployment', `${ARGS}/--host`, '::', '0.0.0.0']],
  [
    'dashboard.port',
    7600,
    ['Deployment', `${ARGS}/--port`, '7600', '7500'],
    [
      'Deployment',
      `${CONTAINER}/ports/0`,
      { name: 'http', containerPort: 7600, protocol: 'TCP' },
      having({ containerPort: 7500 }),
    ],
  ],
  [
    'dashboard.session.secretKey',
    'session-keys',
    [
      'Deployment',
      `${ARGS}/--session-key-file`,
      '/etc/logtool/session/session-keys',
      '/etc/logtool/session/keys',
    ],
    ['Secret', 'data/session-keys', expect.any(String), undefined],
  ],
  [
    'dashboard.extraArgs',
    ['--debug'],
    ['Deployment', `${ARGS}/-1`, '--debug', expect.stringMatching(/^--session-key-file=/)],
  ],
  [
    'dashboard.extraEnv',
    [{ name: 'TZ', value: 'UTC' }],
    ['Deployment', `${CONTAINER}/env`, [{ name: 'TZ', value: 'UTC' }], undefined],
  ],
  ['dashboard.extraVolumes', [VOLUME], ['Deployment', `${POD}/volumes/2`, VOLUME, undefined]],
  ['dashboard.extraVolumeMounts', [MOUNT], ['Deployment', `${CONTAINER}/volumeMounts/2`, MOUNT, undefined]],
  ['dashboard.extraContainers', [SIDECAR], ['Deployment', `${POD}/containers/1`, SIDECAR, undefined]],
  [
    'dashboard.podSecurityContext',
    POD_SECURITY,
    ['Deployment', `${POD}/securityContext`, POD_SECURITY, PLAIN_POD_SECURITY],
    ['Pod', 'spec/securityContext', POD_SECURITY, PLAIN_POD_SECURITY],
  ],
  [
    'dashboard.securityContext',
    SECURITY,
    ['Deployment', `${CONTAINER}/securityContext`, SECURITY, PLAIN_SECURITY],
    ['Pod', `${TEST}/securityContext`, SECURITY, PLAIN_SECURITY],
  ],
  ['dashboard.strategy', STRATEGY, ['Deployment', 'spec/strategy', STRATEGY, undefined]],
  ['dashboard.resources', RESOURCES, ['Deployment', `${CONTAINER}/resources`, RESOURCES, PLAIN_RESOURCES]],
  [
    'dashboard.podLabels',
    { pod: 'own' },
    ['Deployment', 'spec/template/metadata/labels/pod', 'own', undefined],
  ],
  [
    'dashboard.podAnnotations',
    { pod: 'own' },
    ['Deployment', 'spec/template/metadata/annotations', { pod: 'own' }, undefined],
  ],
  [
    'dashboard.nodeSelector',
    { disk: 'ssd' },
    ['Deployment', `${POD}/nodeSelector`, { disk: 'ssd' }, undefined],
  ],
  [
    'dashboard.tolerations',
    [{ operator: 'Exists' }],
    ['Deployment', `${POD}/tolerations`, [{ operator: 'Exists' }], undefined],
  ],
  ['dashboard.affinity', AFFINITY, ['Deployment', `${POD}/affinity`, AFFINITY, undefined]],
  [
    'dashboard.topologySpreadConstraints',
    SPREAD,
    ['Deployment', `${POD}/topologySpreadConstraints`, SPREAD, undefined],
  ],
  ['dashboard.priorityClassName', 'high', ['Deployment', `${POD}/priorityClassName`, 'high', undefined]],
  [
    'dashboard.terminationGracePeriodSeconds',
    25,
    ['Deployment', `${POD}/terminationGracePeriodSeconds`, 25, 10],
  ],
  [
    'dashboard.dnsConfig',
    { options: [{ name: 'ndots' }] },
    ['Deployment', `${POD}/dnsConfig`, { options: [{ name: 'ndots' }] }, undefined],
  ],
  ['dashboard.hostAliases', ALIASES, ['Deployment', `${POD}/hostAliases`, ALIASES, undefined]],
  [
    'dashboard.startupProbe',
    { periodSeconds: 2, failureThreshold: 60 },
    [
      'Deployment',
      `${CONTAINER}/startupProbe`,
      { httpGet: { path: '/logs/healthz', port: 'http' }, periodSeconds: 2, failureThreshold: 60 },
      undefined,
    ],
  ],
  [
    'dashboard.livenessProbe',
    LIVENESS,
    [
      'Deployment',
      `${CONTAINER}/livenessProbe`,
      { httpGet: { path: '/logs/healthz', port: 'http' }, ...LIVENESS },
      {
        httpGet: { path: '/healthz', port: 'http' },
        periodSeconds: 10,
        timeoutSeconds: 3,
        failureThreshold: 6,
      },
    ],
  ],
  [
    'dashboard.readinessProbe',
    READINESS,
    [
      'Deployment',
      `${CONTAINER}/readinessProbe`,
      { httpGet: { path: '/logs/healthz', port: 'http' }, ...READINESS },
      {
        httpGet: { path: '/healthz', port: 'http' },
        periodSeconds: 5,
        timeoutSeconds: 3,
        failureThreshold: 3,
      },
    ],
  ],
  [
    'dashboard.serviceAccount.name',
    'own-account',
    ['ServiceAccount', 'metadata/name', 'own-account', 'r-logtool'],
    ['Deployment', `${POD}/serviceAccountName`, 'own-account', 'r-logtool'],
  ],
  [
    'dashboard.serviceAccount.annotations',
    { account: 'own' },
    ['ServiceAccount', 'metadata/annotations', { team: 'ops', account: 'own' }, undefined],
  ],
  ['dashboard.service.type', 'NodePort', ['Service:dashboard', 'spec/type', 'NodePort', 'ClusterIP']],
  [
    'dashboard.service.port',
    8080,
    ['Service:dashboard', 'spec/ports/0/port', 8080, 80],
    ['HTTPRoute', 'spec/rules/0/backendRefs/0/port', 8080, undefined],
    ['Pod', `${TEST}/command/-1`, 'http://own-name.ops:8080/logs', 'http://r-logtool.ops:80'],
  ],
  ['dashboard.service.nodePort', 30750, ['Service:dashboard', 'spec/ports/0/nodePort', 30750, undefined]],
  [
    'dashboard.service.annotations',
    { service: 'own' },
    ['Service:dashboard', 'metadata/annotations', { team: 'ops', service: 'own' }, undefined],
  ],
  ['dashboard.ingress.enabled', true, ['Ingress', 'kind', 'Ingress', undefined]],
  ['dashboard.ingress.className', 'nginx', ['Ingress', 'spec/ingressClassName', 'nginx', undefined]],
  [
    'dashboard.ingress.annotations',
    { ingress: 'own' },
    ['Ingress', 'metadata/annotations', { team: 'ops', ingress: 'own' }, undefined],
  ],
  [
    'dashboard.ingress.hosts',
    ['logs.example.com'],
    ['Ingress', 'spec/rules/0/host', 'logs.example.com', undefined],
    ['Deployment', `${ARGS}/--allowed-host`, HOSTS, PLAIN_NAMES],
  ],
  ['dashboard.ingress.tls', TLS, ['Ingress', 'spec/tls', TLS, undefined]],
  [
    'dashboard.metrics.enabled',
    true,
    ['Service:metrics', 'spec/ports/0/name', 'metrics', undefined],
    ['NetworkPolicy', 'spec/ingress/1/ports', [{ port: 'metrics', protocol: 'TCP' }], undefined],
  ],
  [
    'dashboard.metrics.port',
    9500,
    ['Deployment', `${ARGS}/--metrics-port`, '9500', undefined],
    ['Deployment', `${CONTAINER}/ports/1/containerPort`, 9500, undefined],
    ['Service:metrics', 'spec/ports/0/port', 9500, undefined],
  ],
  ['dashboard.metrics.serviceMonitor.enabled', true, ['ServiceMonitor', 'kind', 'ServiceMonitor', undefined]],
  [
    'dashboard.metrics.serviceMonitor.labels',
    { release: 'prometheus' },
    ['ServiceMonitor', 'metadata/labels/release', 'prometheus', undefined],
  ],
  [
    'dashboard.metrics.serviceMonitor.interval',
    '15s',
    ['ServiceMonitor', 'spec/endpoints/0/interval', '15s', undefined],
  ],
  [
    'dashboard.metrics.serviceMonitor.scrapeTimeout',
    '5s',
    ['ServiceMonitor', 'spec/endpoints/0/scrapeTimeout', '5s', undefined],
  ],
  ['dashboard.httpRoute.enabled', true, ['HTTPRoute', 'kind', 'HTTPRoute', undefined]],
  [
    'dashboard.httpRoute.annotations',
    { route: 'own' },
    ['HTTPRoute', 'metadata/annotations', { team: 'ops', route: 'own' }, undefined],
  ],
  ['dashboard.httpRoute.parentRefs', GATEWAYS, ['HTTPRoute', 'spec/parentRefs', GATEWAYS, undefined]],
  [
    'dashboard.httpRoute.hostnames',
    ['route.example.com'],
    ['HTTPRoute', 'spec/hostnames', ['route.example.com'], undefined],
    ['Deployment', `${ARGS}/--allowed-host`, HOSTS, PLAIN_NAMES],
  ],
  ['dashboard.httpRoute.filters', FILTERS, ['HTTPRoute', 'spec/rules/0/filters', FILTERS, undefined]],
  [
    'dashboard.httpRoute.timeouts',
    { request: '0s' },
    ['HTTPRoute', 'spec/rules/0/timeouts', { request: '0s' }, undefined],
  ],
  [
    'dashboard.networkPolicy.from',
    PEERS,
    ['NetworkPolicy', 'spec/ingress/0/from/0', PEERS[0], undefined],
    // The pods of `helm test` still have access.
    [
      'NetworkPolicy',
      'spec/ingress/0/from/1/podSelector/matchLabels',
      having({ 'app.kubernetes.io/component': 'test' }),
      undefined,
    ],
    ['NetworkPolicy', 'spec/ingress/0/from/length', 2, undefined],
  ],
  [
    'dashboard.networkPolicy.metricsFrom',
    SCRAPERS,
    ['NetworkPolicy', 'spec/ingress/1/from', SCRAPERS, undefined],
  ],
  [
    'dashboard.networkPolicy.apiServerPorts',
    [7443],
    ['NetworkPolicy', 'spec/egress/0/ports', egress(7443), egress(443, 6443, 8443, 16443)],
  ],
  ['dashboard.podDisruptionBudget.maxUnavailable', 2, ['PodDisruptionBudget', 'spec/maxUnavailable', 2, 1]],
];

const DIGEST = `sha256:${'0'.repeat(64)}`;

/** Values that replace or enable others. */
const REPLACING: readonly Row[] = [
  [
    'global.imageRegistry',
    'mirror.example.com',
    ['Deployment', `${CONTAINER}/image`, `mirror.example.com/logtool/logtool@${DIGEST}`, PLAIN_IMAGE],
  ],
  [
    'image.digest',
    DIGEST,
    ['Pod', `${TEST}/image`, `mirror.example.com/logtool/logtool@${DIGEST}`, PLAIN_IMAGE],
  ],
  [
    'nameOverride',
    'logs',
    ['Deployment', 'metadata/name', 'r-logs', 'r-logtool'],
    [
      'Deployment',
      'spec/selector/matchLabels',
      having({ 'app.kubernetes.io/name': 'logs' }),
      having({ 'app.kubernetes.io/name': 'logtool' }),
    ],
  ],
  ['readers', READERS, ['ClusterRoleBinding', 'subjects', READERS, undefined]],
  [
    'dashboard.session.existingSecret',
    'own-keys',
    [
      'Deployment',
      `${POD}/volumes/0/secret`,
      { secretName: 'own-keys' },
      { secretName: 'r-logtool-session' },
    ],
    ['Secret', 'kind', undefined, 'Secret'],
  ],
  ['dashboard.serviceAccount.create', false, ['ServiceAccount', 'kind', undefined, 'ServiceAccount']],
  [
    'dashboard.serviceAccount.name',
    'given',
    ['Deployment', `${POD}/serviceAccountName`, 'given', 'r-logtool'],
  ],
  ['dashboard.networkPolicy.enabled', false, ['NetworkPolicy', 'kind', undefined, 'NetworkPolicy']],
  [
    'dashboard.podDisruptionBudget.enabled',
    false,
    ['PodDisruptionBudget', 'kind', undefined, 'PodDisruptionBudget'],
  ],
];

const NO_ACCOUNT: readonly Row[] = [
  [
    'dashboard.serviceAccount.create',
    false,
    ['Deployment', `${POD}/serviceAccountName`, 'default', 'r-logtool'],
  ],
];

/** Values of the agents and their API, which are off by default. */
const AGENT: readonly Row[] = [
  ['agent.enabled', true, ['DaemonSet', 'metadata/name', 'r-logtool-agent', undefined]],
  ['agent.apiService', false, ['APIService', 'metadata/name', undefined, undefined]],
  ['agent.port', 7601, ['DaemonSet', `${CONTAINER}/ports/0/containerPort`, 7601, undefined]],
  ['agent.runAsUser', 0, ['DaemonSet', `${POD}/securityContext/runAsUser`, 0, undefined]],
  [
    'agent.seLinux.type',
    'container_logreader_t',
    ['DaemonSet', `${POD}/securityContext/seLinuxOptions/type`, 'container_logreader_t', undefined],
  ],
  ['agent.activity', 'levels', ['DaemonSet', `${CONTAINER}/args/--activity`, 'levels', undefined]],
  ['agent.search.concurrency', 3, ['DaemonSet', `${CONTAINER}/args/--search-concurrency`, '3', undefined]],
  [
    'agent.search.maxScanBytes',
    5_000_000_000,
    ['DaemonSet', `${CONTAINER}/args/--max-scan-bytes`, '5000000000', undefined],
  ],
  ['agent.networkPolicy', false, ['NetworkPolicy:agent', 'metadata/name', undefined, undefined]],
  ...(['cpu', 'memory'] as const).map(
    (name): Row => [
      `agent.resources.requests.${name}`,
      '70',
      ['DaemonSet', `${CONTAINER}/resources/requests/${name}`, '70', undefined],
    ],
  ),
  [
    'agent.resources.limits.memory',
    '1Gi',
    ['DaemonSet', `${CONTAINER}/resources/limits/memory`, '1Gi', undefined],
  ],
  ['agent.tolerations', [{ key: 'a' }], ['DaemonSet', `${POD}/tolerations`, [{ key: 'a' }], undefined]],
  ['api.replicas', 3, ['Deployment:api', 'spec/replicas', 3, undefined]],
  ['api.port', 7602, ['Deployment:api', `${CONTAINER}/args/--port`, '7602', undefined]],
  ...(['cpu', 'memory'] as const).map(
    (name): Row => [
      `api.resources.requests.${name}`,
      '70',
      ['Deployment:api', `${CONTAINER}/resources/requests/${name}`, '70', undefined],
    ],
  ),
  [
    'api.resources.limits.memory',
    '1Gi',
    ['Deployment:api', `${CONTAINER}/resources/limits/memory`, '1Gi', undefined],
  ],
];

const AUTHORITY = `${POD}/volumes/0/secret/secretName`;
const GIVEN: readonly Row[] = [
  ['agent.enabled', true, ['DaemonSet', 'metadata/name', 'r-logtool-agent', undefined]],
  ['tls.mode', 'secret', ['Deployment:api', `${CONTAINER}/volumeMounts/0/name`, 'authority', undefined]],
  ['tls.secretName', 'company-ca', ['Deployment:api', AUTHORITY, 'company-ca', undefined]],
];
const CERT_MANAGER: readonly Row[] = [
  ['agent.enabled', true, ['DaemonSet', 'metadata/name', 'r-logtool-agent', undefined]],
  ['tls.mode', 'certManager', ['Deployment:api', AUTHORITY, 'r-logtool-api-authority', undefined]],
  ['tls.issuer.name', 'company', ['Certificate', 'spec/issuerRef/name', 'company', undefined]],
  ['tls.issuer.kind', 'ClusterIssuer', ['Certificate', 'spec/issuerRef/kind', 'ClusterIssuer', undefined]],
  ['tls.issuer.group', 'example.com', ['Certificate', 'spec/issuerRef/group', 'example.com', undefined]],
];

/** Every value of the chart; the values of a group are set together. */
export const VALUE_ROWS: Readonly<Record<string, readonly Row[]>> = {
  'at once': TOGETHER,
  'instead of others': REPLACING,
  'without a service account': NO_ACCOUNT,
  'for the agents': AGENT,
  'for an authority of a Secret': GIVEN,
  'for an authority of cert-manager': CERT_MANAGER,
};
