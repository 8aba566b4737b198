/**
 * A small shop: every kind of workload, one that fails, two namespaces. Containers write only when a test
 * requests it.
 */
export const SHOP = {
  seed: 1,
  clusterName: 'shop',
  namespace: 'shop',
  startDelays: 'none',
  backfill: '2m',
  namespaces: ['shop', 'data', 'empty'],
  nodes: [
    { name: 'node-a', region: 'eu-west-1', zone: 'eu-west-1a' },
    { name: 'node-b', region: 'eu-west-1', zone: 'eu-west-1b', arch: 'arm64' },
  ],
  users: [
    {
      name: 'no-events',
      rules: [
        { resources: ['namespaces', 'pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: ['apps', 'batch'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
      ],
    },
    {
      name: 'shop-only',
      namespace: 'shop',
      rules: [
        { resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
        {
          namespace: 'shop',
          apiGroups: ['*'],
          resources: ['*'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
  ],
  workloads: [
    { kind: 'Deployment', name: 'web', replicas: 3, containers: [{ name: 'app', lines: ['web is up'] }] },
    {
      kind: 'Deployment',
      name: 'cart',
      replicas: 2,
      containers: [{ name: 'app', limits: { memory: '256Mi' }, lines: ['cart is up'] }],
    },
    {
      kind: 'Deployment',
      name: 'mailer',
      replicas: 1,
      containers: [{ name: 'app', lines: ['mailer is up'] }],
    },
    { kind: 'StatefulSet', name: 'db', replicas: 2, containers: [{ name: 'postgres', lines: ['db is up'] }] },
    { kind: 'DaemonSet', name: 'agent', containers: [{ name: 'agent', lines: ['agent is up'] }] },
    {
      kind: 'Job',
      name: 'migrate',
      containers: [{ name: 'migrate', lines: ['migrated'], exit: { code: 0 } }],
    },
    {
      kind: 'Deployment',
      name: 'broken',
      replicas: 1,
      containers: [{ name: 'app', image: 'registry.example.com/none:0', state: 'bad-image' }],
    },
    { kind: 'StatefulSet', name: 'kafka', namespace: 'data', replicas: 1, containers: [{ name: 'kafka' }] },
  ],
};
