/** Programs that write only these lines, so that a test knows every line. */
export const TALK = {
  seed: 1,
  clusterName: 'talk',
  namespace: 'shop',
  startDelays: 'none',
  backfill: '5m',
  namespaces: ['shop'],
  nodes: [
    { name: 'node-a', region: 'eu-west-1', zone: 'eu-west-1a' },
    { name: 'node-b', region: 'eu-west-1', zone: 'eu-west-1b', arch: 'arm64' },
  ],
  users: [{ name: 'somebody' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 1,
      containers: [{ name: 'app', lines: [{ text: 'web line {n}', repeat: 300 }] }],
    },
    {
      kind: 'Deployment',
      name: 'long',
      replicas: 1,
      containers: [{ name: 'app', lines: [{ text: 'old line {n}', repeat: 12_000 }] }],
    },
    {
      kind: 'StatefulSet',
      name: 'db',
      replicas: 2,
      containers: [
        { name: 'postgres', lines: [{ text: 'db line {n}', repeat: 20 }] },
        { name: 'metrics', lines: ['scraped'] },
      ],
    },
  ],
};
export const WEB = 'shop:deployments/web';
export const LONG = 'shop:deployments/long';
export const DB = 'shop:statefulsets/db';
