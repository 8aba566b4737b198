import type { Workload, WorkloadKind } from '@logtool/logtool/src/contract/workload.ts';

/** An invented cluster for looking at the page: the one of the drawings, or one of any size. */
export interface FakeCluster {
  readonly workloads: readonly Workload[];
  readonly pods: number;
}

const KIND_NAMES: { readonly [K in WorkloadKind]: string } = {
  deployments: 'Deployment',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  jobs: 'Job',
  cronjobs: 'CronJob',
  replicasets: 'ReplicaSet',
  pods: 'Pod',
};

type Extra = Partial<Workload>;

const DRAWN: readonly (readonly [string, string, WorkloadKind, number, number, Extra?])[] = [
  ['web', 'shop', 'deployments', 3, 4, { restarts: 3, isFailing: true, status: 'CrashLoopBackOff' }],
  ['db', 'shop', 'statefulsets', 2, 2],
  ['cart', 'shop', 'deployments', 2, 2],
  ['search', 'shop', 'deployments', 5, 5],
  ['payments', 'shop', 'deployments', 2, 2],
  ['ingress-nginx', 'edge', 'daemonsets', 6, 6],
  ['mailer', 'shop', 'deployments', 1, 1],
  ['report', 'batch', 'cronjobs', 0, 1],
  ['migrate', 'batch', 'jobs', 0, 0, { status: 'done' }],
  ['kafka', 'data', 'statefulsets', 3, 3],
  ['prometheus', 'monitoring', 'statefulsets', 1, 1],
  ['coredns', 'kube-system', 'deployments', 2, 2],
  ['cilium', 'kube-system', 'daemonsets', 6, 6],
  ['thumbnails', 'shop', 'deployments', 0, 2, { status: 'ImagePullBackOff', isFailing: true }],
];

/** The cluster of the drawings, with pods; `agent`: with sizes and sparklines. */
export function drawnCluster(nowMs: number, agent: boolean): FakeCluster {
  const workloads: Workload[] = [];
  for (const [index, [name, namespace, kind, ready, total, extra]] of DRAWN.entries()) {
    const id = `w${index}`;
    const age = 3_600_000 * (index + 2);
    const base: Workload = {
      id,
      kind,
      kindName: KIND_NAMES[kind],
      namespace,
      name,
      podsReady: ready,
      podsTotal: total,
      restarts: 0,
      isFailing: false,
      createdAt: at(nowMs - age),
      ...(kind === 'cronjobs' ? { nextRunAt: at(nowMs + 14 * 60_000 + 20_000) } : {}),
      ...(agent ? { agent: activity(index, nowMs) } : {}),
      ...events(name, nowMs),
      ...extra,
    };
    workloads.push(extra?.restarts ? { ...base, lastRestartAt: at(nowMs - 95_000) } : base);
    for (let pod = 0; pod < total; pod++) workloads.push(podOf(base, pod));
  }
  return { workloads, pods: workloads.filter((workload) => workload.kind === 'pods').length };
}

/** So many Deployments with ten pods each. */
export function largeCluster(pods: number, nowMs: number): FakeCluster {
  const workloads: Workload[] = [];
  for (let index = 0; index < pods / 10; index++) {
    const base: Workload = {
      id: `d${index}`,
      kind: 'deployments',
      kindName: 'Deployment',
      namespace: `team-${index % 20}`,
      name: `service-${index}`,
      podsReady: 10,
      podsTotal: 10,
      restarts: index % 7 === 0 ? 2 : 0,
      isFailing: false,
      createdAt: at(nowMs - 86_400_000),
    };
    workloads.push(base);
    for (let pod = 0; pod < 10; pod++) workloads.push(podOf(base, pod));
  }
  return { workloads, pods };
}

function podOf(owner: Workload, index: number): Workload {
  const suffix = owner.kind === 'statefulsets' ? `${index}` : `6b54d${index}-${'kmr5qz'.slice(index % 3)}`;
  const isBad = index >= owner.podsReady && owner.isFailing;
  return {
    id: `${owner.id}-p${index}`,
    kind: 'pods',
    kindName: 'Pod',
    namespace: owner.namespace,
    name: `${owner.name}-${suffix}`,
    podsReady: isBad ? 0 : 1,
    podsTotal: 1,
    restarts: isBad ? owner.restarts : 0,
    isFailing: isBad,
    ownerId: owner.id,
    createdAt: owner.createdAt,
    ...(isBad && owner.status !== undefined ? { status: owner.status } : {}),
  };
}

function events(name: string, nowMs: number): Extra {
  const event = (ms: number, reason: string, message: string, isWarning = false): Extra => ({
    lastEvent: { at: at(nowMs - ms), reason, message, isWarning },
  });
  if (name === 'web') return event(40_000, 'BackOff', 'Back-off restarting failed container app', true);
  if (name === 'thumbnails') return event(130_000, 'Failed', 'Error: ImagePullBackOff', true);
  if (name === 'report') return event(2_760_000, 'SuccessfulCreate', 'Created job report-29401');
  if (name === 'search')
    return event(600_000, 'ScalingReplicaSet', 'Scaled up replica set search-7d9 to 5 from 3');
  return {};
}

function activity(seed: number, nowMs: number): NonNullable<Workload['agent']> {
  const lines = Array.from({ length: 30 }, (_, index) => 20 + ((index * 37 + seed * 91) % 61));
  const isBad = seed === 0 || seed === 1 || seed === 4;
  return {
    sizeBytes:
      [24.1e6, 88e6, 9.2e6, 141e6, 12.7e6, 612e6, 0.4e6, 1.1e6, 20e3, 310e6, 44.8e6, 3.9e6, 21.3e6, 700][
        seed
      ] ?? 0,
    lastLineAt: at(nowMs - seed * 1_700),
    lines,
    errors: lines.map((count, index) => (isBad && index > 22 ? Math.round(count * 0.4) : 0)),
  };
}

const at = (ms: number) => new Date(ms).toISOString();
