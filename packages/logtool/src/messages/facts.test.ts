import { expect, test } from 'vitest';
import type { Fact, FactKinds } from '../domain/facts/fact.ts';
import { factLine } from './facts.ts';

const POD = { kind: 'Pod', namespace: 'shop', name: 'web-7', uid: 'u' };

function fact<K extends keyof FactKinds>(kind: K, data: FactKinds[K], more: Partial<Fact> = {}): Fact {
  return {
    id: 'x',
    kind,
    data,
    at: { seconds: 1_795_226_400, nanos: 0 },
    precision: 's',
    severity: 'normal',
    subject: POD,
    reason: '',
    message: '',
    count: 1,
    source: 'pod',
    ...more,
  } as Fact;
}

const app = { subject: { ...POD, container: 'app' } };
const web = { subject: { kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'd' } };
const node = { subject: { kind: 'Node', namespace: '', name: 'node-3', uid: 'n' } };
const exit = { exitCode: 137, restarts: 0, isInit: false, wasDeleted: false };

test.each<[Fact, string]>([
  [
    fact('exited', { ...exit, memoryLimit: '256Mi' }, { ...app, reason: 'OOMKilled' }),
    '[OOMKilled] web-7 app exited 137, limit 256Mi',
  ],
  [
    fact(
      'exited',
      { ...exit, exitCode: 1, memoryLimit: '256Mi', lastedMs: 41_000 },
      { ...app, reason: 'Error' },
    ),
    '[Error] web-7 app exited 1, after 41 s',
  ],
  [
    fact('exited', { ...exit, exitCode: 3, isInit: true, signal: 9 }, { ...app, reason: 'Error' }),
    '[Error] web-7 app init container exited 3, signal 9',
  ],
  [
    fact('exited', { ...exit, exitCode: 1 }, { ...app, reason: 'Error', message: 'no key\n "db.url"\n' }),
    '[Error] web-7 app exited 1: no key "db.url"',
  ],
  [
    fact('exited', { ...exit, exitCode: 1 }, { ...app, reason: 'Error', message: 'x'.repeat(4_096) }),
    `[Error] web-7 app exited 1: ${'x'.repeat(300)}...`,
  ],
  [fact('started', { restarts: 0, image: 'web:1' }, app), '[Started] web-7 app started, image web:1'],
  [
    fact('restarted', { restarts: 5, afterMs: 10_000 }, app),
    '[Restarted] web-7 app restarted (5th time) after 10 s',
  ],
  [
    fact('restarted', { restarts: 22, afterMs: 3_725_000 }, app),
    '[Restarted] web-7 app restarted (22nd time) after 1 h 2 m',
  ],
  [fact('restarted', { restarts: 11 }, app), '[Restarted] web-7 app restarted (11th time)'],
  [
    fact(
      'waiting',
      { image: 'web:2', restarts: 0 },
      { ...app, reason: 'ImagePullBackOff', message: 'Back-off', bound: 'not-before' },
    ),
    '[ImagePullBackOff] web-7 app waiting, image web:2: Back-off (then or later)',
  ],
  [fact('ready', {}), '[Ready] web-7 ready'],
  [
    fact('not-ready', {}, { reason: 'ContainersNotReady', message: 'why' }),
    '[ContainersNotReady] web-7 not ready: why',
  ],
  [fact('scheduled', { node: 'node-3' }), '[Scheduled] web-7 scheduled to node node-3'],
  [
    fact('unschedulable', {}, { reason: 'Unschedulable', message: '0/1 nodes are available' }),
    '[Unschedulable] web-7 not scheduled: 0/1 nodes are available',
  ],
  [
    fact('evicted', { node: 'node-3' }, { reason: 'Evicted', message: 'low on memory' }),
    '[Evicted] web-7 evicted from node node-3: low on memory',
  ],
  [fact('preempted', {}, { reason: 'PreemptionByScheduler' }), '[PreemptionByScheduler] web-7 preempted'],
  [fact('deleted', { graceSeconds: 30 }), '[Deleted] web-7 deletion requested, grace period 30 s'],
  [
    fact('deleted', { graceSeconds: 30, by: 'EvictionByEvictionAPI' }),
    '[Deleted] web-7 deletion requested by the eviction API, grace period 30 s',
  ],
  [
    fact('deleted', { by: 'replicaset-controller' }),
    '[Deleted] web-7 deletion requested by replicaset-controller',
  ],
  [fact('failed', {}, { reason: 'NodeLost', message: 'gone' }), '[NodeLost] web-7 failed: gone'],
  [
    fact(
      'rollout',
      { revision: 2, images: [{ container: 'app', from: 'web:v41', to: 'web:v42' }], replicas: 3 },
      web,
    ),
    '[Rollout] deployment/web revision 2: app web:v41 -> web:v42, 3 replicas',
  ],
  [
    fact(
      'rollout',
      {
        revision: 3,
        images: [
          { container: 'log', from: 'log:1' },
          { container: 'new', to: 'new:1' },
        ],
      },
      web,
    ),
    '[Rollout] deployment/web revision 3: log removed, new new:1',
  ],
  [fact('rollout', { revision: 4, images: [] }, web), '[Rollout] deployment/web revision 4'],
  [
    fact('paused', { updated: 1, replicas: 3 }, web),
    '[Paused] deployment/web paused, 1 of 3 pods have its current template',
  ],
  [
    fact('paused', { active: 0 }, { subject: { ...web.subject, kind: 'CronJob' } }),
    '[Paused] cronjob/web suspended',
  ],
  [
    fact(
      'workload-condition',
      { type: 'Progressing', status: 'False' },
      { ...web, reason: 'ProgressDeadlineExceeded' },
    ),
    '[ProgressDeadlineExceeded] deployment/web condition Progressing=False',
  ],
  [
    fact(
      'node-condition',
      { type: 'MemoryPressure', status: 'True' },
      { ...node, reason: 'KubeletHasInsufficientMemory' },
    ),
    '[KubeletHasInsufficientMemory] node/node-3 condition MemoryPressure=True',
  ],
  [
    fact('node-taint', { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }, node),
    '[Taint] node/node-3 tainted node.kubernetes.io/unreachable:NoExecute',
  ],
  [
    fact('node-rebooted', { bootId: 'b' }, { ...node, bound: 'not-before' }),
    '[Rebooted] node/node-3 rebooted (then or later)',
  ],
  [
    fact('node-clock', { offsetMs: 599_000 }, node),
    "[Clock] node/node-3 clock at least 9 m 59 s ahead of the API server's",
  ],
  [
    fact('node-clock', { offsetMs: -90_000 }, node),
    "[Clock] node/node-3 clock at least 1 m 30 s behind the API server's",
  ],
  [
    fact('event', { controller: 'kubelet', type: 'Warning' }, { reason: 'BackOff', message: 'Back-off' }),
    '[BackOff] web-7 Back-off',
  ],
  [
    fact(
      'event',
      { controller: 'kubelet', type: 'Warning' },
      { reason: 'BackOff', message: 'Back-off', count: 9, until: { seconds: 1_795_226_460, nanos: 0 } },
    ),
    '[BackOff] web-7 Back-off (x9 since 2026-11-21T02:00:00Z)',
  ],
  [
    fact(
      'event',
      { controller: 'kubelet', type: 'Warning' },
      { reason: 'BackOff', message: 'Back-off', count: 1, until: { seconds: 1_795_226_460, nanos: 0 } },
    ),
    '[BackOff] web-7 Back-off, last reported 2026-11-21T02:01:00Z',
  ],
])('%#: $kind', (given, expected) => expect(factLine(given)).toBe(expected));
