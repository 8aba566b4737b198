import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RULES } from '@logtool/logtool/src/happenings/why/rules.ts';
import { expect, test } from 'vitest';
import { expectGolden } from '../../support/cli/golden.ts';
import { type WhyJson, whyOf } from './why-world.ts';

const FOLDER = resolve(import.meta.dirname, '../../../scenarios/happenings');

interface Expected {
  readonly source: string;
  /** The codes of all verdicts, in order. */
  readonly codes: readonly string[];
  /** Required data of the first verdict. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Required doubts. */
  readonly doubts?: readonly string[];
  readonly outcome?: 'healthy';
  /** What it reports beside the answer. */
  readonly stderr?: string;
  /** The verdicts that no longer hold, if this matters. */
  readonly over?: readonly string[];
  /** Part of the line that is marked as the first error. */
  readonly error?: string;
  /** Part of the first error of a log, if only the log shows the trouble. */
  readonly first?: string;
}

/** The true cause of each scenario, according to its description. */
const CAUSES: Readonly<Record<string, Expected>> = {
  'oom-container': {
    source: 'deployments/web',
    codes: ['oom-container'],
    data: { container: 'app', memoryLimit: '256Mi' },
  },
  'ends-with-0-slowly': {
    source: 'deployments/sync',
    codes: ['ended-without-failure'],
    data: { exitCode: 0 },
    doubts: ['may-end-again'],
  },
  'readiness-flaps': {
    source: 'deployments/catalog',
    codes: ['probe-failing'],
    data: { probe: 'readiness', answer: 'HTTP probe failed with statuscode: 503' },
    over: ['probe-failing'],
  },
  'crashed-then-replaced': {
    source: 'deployments/web',
    codes: ['restarted-again'],
    doubts: ['ends-unknown'],
    over: ['restarted-again'],
  },
  'liveness-rolled-back': {
    source: 'deployments/web',
    codes: ['probe-killed'],
    data: { probe: 'liveness', answer: 'HTTP probe failed with statuscode: 404' },
    over: ['probe-killed'],
  },
  'readiness-rolled-back': {
    source: 'deployments/web',
    codes: ['probe-failing'],
    data: { probe: 'readiness', answer: 'HTTP probe failed with statuscode: 404' },
    over: ['probe-failing'],
  },
  'slow-start-replaced': { source: 'deployments/web', codes: [], outcome: 'healthy' },
  'statefulset-rolled-back': {
    source: 'statefulsets/db',
    codes: ['image-denied', 'rollout-waits'],
    data: { image: 'registry.example.com/shop/db:v2' },
  },
  'statefulset-crash': { source: 'statefulsets/db', codes: ['crashed'], data: { exitCode: 3 } },
  'oom-worker': {
    source: 'deployments/web',
    codes: ['oom-container'],
    data: { exitCode: 1, memoryLimit: '256Mi' },
    error: 'Perhaps out of memory',
  },
  'oom-node': {
    source: 'deployments/checkout',
    codes: ['oom-node'],
    data: { node: 'node-1', process: 'checkout', exitCode: 137 },
    doubts: ['oom-names-no-container'],
  },
  'crash-after-reboot': {
    source: 'deployments/web',
    codes: ['crashed'],
    data: { exitCode: 255 },
    error: 'Class "Redis" not found',
  },
  'liveness-loop': {
    source: 'deployments/checkout',
    codes: ['probe-killed'],
    data: { probe: 'liveness', exitCode: 1, answer: 'HTTP probe failed with statuscode: 503' },
    doubts: ['kill-without-event'],
  },
  'crash-near-probe': {
    source: 'deployments/checkout',
    codes: ['crashed'],
    data: { exitCode: 1 },
    over: ['crashed'],
  },
  'oom-child': {
    source: 'deployments/thumbnails',
    codes: ['oom-child'],
    data: { process: 'convert' },
    doubts: ['process-by-name'],
    error: 'convert was killed by signal 9',
  },
  'liveness-kill': {
    source: 'deployments/checkout',
    codes: ['probe-killed'],
    data: { probe: 'liveness', exitCode: 137 },
  },
  'liveness-kill-graceful': {
    source: 'deployments/checkout',
    codes: ['probe-killed'],
    data: { probe: 'liveness', exitCode: 0 },
  },
  'startup-kill-loop': {
    source: 'deployments/search',
    codes: ['probe-killed', 'rollout-stuck'],
    data: { probe: 'startup', exitCode: 0 },
    doubts: ['end-without-event'],
  },
  'killed-by-hand-after-probe': {
    source: 'deployments/checkout',
    codes: ['stopped-by-signal'],
    data: { signal: 9, exitCode: 137 },
    doubts: ['sender-unknown', 'earlier-kill'],
  },
  'hook-fails': {
    source: 'deployments/worker',
    codes: ['killed-by-kubelet'],
    data: { message: 'PostStartHook failed', exitCode: 143 },
  },
  'container-not-created': {
    source: 'deployments/web',
    codes: ['container-not-created', 'rollout-stuck'],
    data: { container: 'app' },
  },
  'ends-with-0': {
    source: 'deployments/sync',
    codes: ['ended-without-failure'],
    data: { exitCode: 0 },
  },
  'stopped-by-sighup': {
    source: 'deployments/worker',
    codes: ['stopped-by-signal'],
    data: { signal: 1, exitCode: 129 },
    doubts: ['sender-unknown'],
  },
  'killed-by-hand': {
    source: 'deployments/checkout',
    codes: ['stopped-by-signal'],
    data: { signal: 9, exitCode: 137 },
    doubts: ['sender-unknown', 'oom-on-node'],
  },
  eviction: {
    source: 'deployments/cache',
    codes: ['evicted'],
    data: { node: 'node-1' },
    over: ['evicted'],
  },
  'evicted-again': {
    source: 'deployments/thumbnails',
    codes: ['evicted'],
    data: { message: expect.stringContaining('ephemeral-storage') },
    doubts: ['may-be-evicted-again'],
    over: [],
  },
  'pressure-bystander': {
    source: 'deployments/orders',
    codes: ['crashed'],
    data: { exitCode: 1 },
    error: 'password authentication failed',
  },
  'drained-node': {
    source: 'deployments/web',
    codes: ['pods-deleted'],
    data: { node: 'node-1' },
    doubts: ['deleter-unknown'],
  },
  'drained-old-pods': {
    source: 'deployments/web',
    codes: ['pods-deleted'],
    data: { node: 'node-1' },
    doubts: ['deleter-unknown', 'pods-by-name'],
  },
  'scaled-down-old-pods': { source: 'deployments/web', codes: [], outcome: 'healthy' },
  'preempted-old-pod': {
    source: 'deployments/batch',
    codes: ['preempted', 'unschedulable'],
    doubts: ['pods-by-name'],
  },
  'scaled-down': { source: 'deployments/web', codes: [], outcome: 'healthy' },
  'terminating-slowly': {
    source: 'statefulsets/db',
    codes: ['pods-terminating'],
    data: { isOverdue: false, graceSeconds: 3600, waits: 'StatefulSet' },
  },
  'scaled-down-slowly': { source: 'statefulsets/db', codes: [], outcome: 'healthy' },
  'crash-with-trace': {
    source: 'deployments/pricing',
    codes: ['crashed'],
    data: { exitCode: 1 },
    error: 'NullPointerException: rates is null',
  },
  segfault: { source: 'deployments/encoder', codes: ['crashed-by-signal'], data: { signal: 11 } },
  'stopped-by-sigterm': {
    source: 'deployments/worker',
    codes: ['stopped-by-signal'],
    data: { signal: 15, exitCode: 143 },
    doubts: ['sender-unknown'],
  },
  'image-tag': { source: 'deployments/web', codes: ['image-tag-missing', 'rollout-stuck'] },
  'image-tag-429': { source: 'deployments/web', codes: ['image-tag-missing', 'rollout-stuck'] },
  'image-name': { source: 'deployments/web', codes: ['image-missing-or-private', 'rollout-stuck'] },
  'image-credentials': { source: 'deployments/web', codes: ['image-denied', 'rollout-stuck'] },
  'image-rate-limit': { source: 'deployments/web', codes: ['image-rate-limited', 'rollout-stuck'] },
  'image-network': { source: 'deployments/web', codes: ['image-registry-unreachable', 'rollout-stuck'] },
  'image-recovered': { source: 'deployments/web', codes: [], outcome: 'healthy' },
  'missing-configmap': {
    source: 'deployments/web',
    codes: ['object-missing', 'rollout-stuck'],
    data: { kind: 'ConfigMap', name: 'web-settings' },
  },
  'missing-key': {
    source: 'deployments/web',
    codes: ['key-missing', 'rollout-stuck'],
    data: { kind: 'Secret', name: 'web-login', key: 'password' },
  },
  'missing-config-volume': {
    source: 'deployments/web',
    codes: ['object-missing', 'rollout-stuck'],
    data: { kind: 'ConfigMap', name: 'web-files', volume: 'files' },
  },
  'init-fails': {
    source: 'deployments/orders',
    codes: ['init-failed', 'rollout-stuck'],
    data: { container: 'migrate', exitCode: 3 },
    error: 'could not obtain lock',
  },
  'readiness-503': {
    source: 'deployments/catalog',
    codes: ['probe-failing', 'log-errors'],
    data: { probe: 'readiness', answer: 'HTTP probe failed with statuscode: 503' },
  },
  'readiness-of-another': {
    source: 'deployments/catalog',
    codes: ['probe-failing'],
    data: { container: 'app', probe: 'readiness' },
  },
  'crash-after-blip': {
    source: 'deployments/catalog',
    codes: ['crashed'],
    data: { container: 'app', exitCode: 1 },
    error: 'no configuration',
  },
  'readiness-blip': { source: 'deployments/catalog', codes: [], outcome: 'healthy' },
  'unschedulable-cpu': {
    source: 'deployments/reports',
    codes: ['unschedulable', 'rollout-stuck'],
    data: { refusals: [{ nodes: 2, reason: 'resource', text: 'Insufficient cpu' }] },
  },
  'unschedulable-taint': {
    source: 'deployments/training',
    codes: ['unschedulable', 'rollout-stuck'],
    data: {
      refusals: [
        { nodes: 1, reason: 'affinity', text: "didn't match Pod's node affinity/selector" },
        { nodes: 1, reason: 'taint', text: 'had untolerated taint(s)' },
      ],
    },
  },
  'unschedulable-volume': {
    source: 'statefulsets/db',
    codes: ['unschedulable'],
    data: {
      refusals: [
        { nodes: 2, reason: 'volume-affinity', text: "didn't match PersistentVolume's node affinity" },
      ],
    },
  },
  preempted: { source: 'deployments/batch', codes: ['preempted', 'unschedulable'] },
  'node-lost': {
    source: 'deployments/web',
    codes: ['node-lost', 'pods-terminating'],
    data: { node: 'node-1', isBack: false },
  },
  'rebooted-then-lost': {
    source: 'deployments/web',
    codes: ['node-lost', 'node-rebooted'],
    over: ['node-rebooted'],
    data: { node: 'node-1', isBack: false },
  },
  'node-rebooted': { source: 'deployments/web', codes: ['node-rebooted'], data: { node: 'node-1' } },
  'volume-multi-attach': {
    source: 'deployments/files',
    codes: ['volume-in-use'],
    data: { volume: 'pvc-files' },
  },
  'quota-exceeded': {
    source: 'deployments/web',
    codes: ['quota-exceeded', 'rollout-stuck'],
    data: { quota: 'compute' },
  },
  'quota-enough': { source: 'deployments/web', codes: ['quota-exceeded'], over: ['quota-exceeded'] },
  'job-retried': { source: 'jobs/import', codes: ['crashed'], data: { exitCode: 1 }, over: ['crashed'] },
  'init-retried': {
    source: 'deployments/orders',
    codes: ['init-failed'],
    doubts: ['lines-unreadable'],
    over: ['init-failed'],
  },
  'refused-beside-errors': {
    source: 'pods/*',
    codes: ['quota-exceeded', 'log-errors'],
    data: { quota: 'compute' },
  },
  'job-suspended': { source: 'jobs/import', codes: ['job-suspended'], data: { name: 'import' } },
  'job-resumed': { source: 'jobs/import', codes: [], outcome: 'healthy' },
  'job-deadline': { source: 'jobs/report', codes: ['deadline-exceeded'] },
  'job-never-ran': {
    source: 'jobs/report',
    codes: ['image-denied', 'deadline-exceeded'],
    data: { container: 'app', image: 'registry.example.com/shop/report:v7' },
    over: [],
  },
  'job-ran-late': { source: 'jobs/report', codes: ['deadline-exceeded'], over: [] },
  'cronjob-deadline': {
    source: 'cronjobs/nightly',
    codes: ['deadline-exceeded'],
    data: { kind: 'Job', count: 3 },
  },
  'cronjob-suspended': {
    source: 'cronjobs/nightly',
    codes: ['cronjob-suspended'],
    data: { name: 'nightly', active: 0 },
    doubts: ['begin-unknown'],
  },
  'cronjob-resumed': { source: 'cronjobs/nightly', codes: [], outcome: 'healthy' },
  'rollout-paused': {
    source: 'deployments/web',
    codes: ['rollout-paused'],
    data: { name: 'web', updated: 0, replicas: 3 },
  },
  'rollout-resumed': { source: 'deployments/web', codes: [], outcome: 'healthy' },
  'cronjob-slow': { source: 'cronjobs/nightly', codes: [], outcome: 'healthy' },
  'job-backoff': {
    source: 'jobs/import',
    codes: ['backoff-limit-exceeded', 'crashed'],
  },
  'rollout-stuck': { source: 'deployments/web', codes: ['probe-failing', 'rollout-stuck'] },
  'innocent-rollout': {
    source: 'deployments/orders',
    codes: ['log-errors'],
    data: { container: 'app', isNew: true },
    doubts: ['too-little-before'],
    first: 'orders-db: connection refused',
  },
  'wrong-command': { source: 'deployments/mailer', codes: ['command-not-started', 'rollout-stuck'] },
  'missing-binary': {
    source: 'deployments/mailer',
    codes: ['program-missing', 'rollout-stuck'],
    data: { exitCode: 127 },
    error: 'mailer: not found',
  },
  'daemonset-rollout': {
    source: 'daemonsets/agent',
    codes: ['crashed'],
    data: { exitCode: 2 },
    error: 'unknown flag: --collect',
  },
  'sandbox-not-created': {
    source: 'deployments/web',
    codes: ['sandbox-not-created'],
    data: { message: expect.stringMatching(/^Failed to create pod sandbox: .*subnet\.env: no such file/) },
  },
  'sandbox-recovered': {
    source: 'deployments/web',
    codes: ['probe-failing'],
    data: { probe: 'readiness' },
  },
  'image-pulling': {
    source: 'deployments/model',
    codes: ['image-pulling'],
    data: { container: 'app', image: 'registry.example.com/ml/model:v2' },
  },
  'image-pulled-slowly': { source: 'deployments/model', codes: ['crashed'], data: { exitCode: 1 } },
  'scheduling-gated': {
    source: 'deployments/training',
    codes: ['scheduling-gated'],
    data: { message: 'Scheduling is blocked due to non-empty scheduling gates' },
  },
  'scheduling-ungated': {
    source: 'deployments/training',
    codes: ['unschedulable'],
    data: { refusals: [{ nodes: 2, reason: 'resource', text: 'Insufficient cpu' }] },
  },
  'readiness-gated': {
    source: 'deployments/web',
    codes: ['readiness-gated'],
    data: {
      message: 'the status of pod readiness gate "target-health.example.com/web" is not "True", but False',
    },
  },
  'readiness-gate-passed': {
    source: 'deployments/web',
    codes: ['probe-failing'],
    data: { probe: 'readiness', answer: 'HTTP probe failed with statuscode: 503' },
  },
  'init-running': {
    source: 'deployments/orders',
    codes: ['init-running'],
    data: { container: 'wait-for-db' },
  },
  'init-sidecar-runs': {
    source: 'deployments/orders',
    codes: ['crashed'],
    data: { container: 'app', exitCode: 1 },
    error: 'ORDERS_DB is not set',
  },
  'crash-after-init': {
    source: 'deployments/orders',
    codes: ['crashed'],
    data: { container: 'app', exitCode: 3 },
    error: 'schema is newer',
  },
  'job-held': { source: 'jobs/import', codes: ['job-held'], data: { container: 'app', running: ['proxy'] } },
  'job-with-sidecar': { source: 'jobs/import', codes: [], outcome: 'healthy' },
  'autoscaler-failing': {
    source: 'deployments/web',
    codes: ['autoscaler-failing'],
    data: { message: expect.stringContaining('(get pods.metrics.k8s.io)') },
  },
  'autoscaler-disabled': {
    source: 'deployments/web',
    codes: [],
    outcome: 'healthy',
    stderr: 'deployments/web in namespace "shop" has no pods: it is scaled to 0\n',
  },
  'noisy-but-healthy': { source: 'deployments/search', codes: [], outcome: 'healthy' },
};

/** Golden outputs, kept in full for people to read. */
const GOLDEN: readonly string[] = [
  'oom-container',
  'killed-by-hand',
  'unschedulable-taint',
  'job-backoff',
  'image-recovered',
];

const path = (name: string) => join(FOLDER, `${name}.yaml`);

test('every scenario of a happening has its cause here', () => {
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.yaml$/, ''));
  expect(names.sort()).toEqual(Object.keys(CAUSES).sort());
});

test.each(Object.entries(CAUSES))(
  '%s is explained by its cause',
  { timeout: 60_000 },
  async (name, cause) => {
    const { code, stdout, stderr } = await whyOf(path(name), cause.source, '-n', 'shop', '-o', 'json');
    const found = JSON.parse(stdout) as WhyJson;
    expect(found.verdicts.map((verdict) => verdict.code)).toEqual(cause.codes);
    expect({ code, stderr, outcome: found.outcome }).toEqual({
      code: 0,
      stderr: cause.stderr ?? '',
      outcome: cause.outcome ?? 'explained',
    });
    const [first] = found.verdicts;
    const over = found.verdicts.filter(({ isOver }) => isOver).map((verdict) => verdict.code);
    if (cause.over !== undefined) expect(over).toEqual(cause.over);
    expect(first?.data ?? {}).toMatchObject(cause.data ?? {});
    expect(first?.doubts.map((doubt) => doubt.code) ?? []).toEqual(
      expect.arrayContaining([...(cause.doubts ?? [])]),
    );
    if (cause.first !== undefined) expect(first?.log?.firstError.message).toContain(cause.first);
    const lines = found.verdicts.find((verdict) => verdict.lines !== undefined)?.lines;
    if (cause.error !== undefined)
      expect(lines?.records[lines.firstError ?? -1]?.message).toContain(cause.error);
  },
);

test.each(GOLDEN)('%s fits one screen', { timeout: 60_000 }, async (name) => {
  const { stdout } = await whyOf(path(name), CAUSES[name]?.source ?? '', '-n', 'shop');
  expectGolden(`why/${name}.txt`, stdout);
  expect(stdout.split('\n').length).toBeLessThan(40);
});

test('a rollout shortly before is a time, not a cause', { timeout: 60_000 }, async () => {
  const before = await whyOf(path('oom-container'), 'deployments/web', '-n', 'shop', '-o', 'json');
  expect((JSON.parse(before.stdout) as WhyJson).rollout?.secondsBefore).toBeGreaterThan(0);
  const innocent = await whyOf(path('innocent-rollout'), 'deployments/orders', '-n', 'shop', '-o', 'json');
  const { rollout, verdicts } = JSON.parse(innocent.stdout) as WhyJson;
  expect([rollout?.secondsBefore, verdicts.map(({ code }) => code)]).toEqual([90, ['log-errors']]);
  const daemons = await whyOf(path('daemonset-rollout'), 'daemonsets/agent', '-n', 'shop', '-o', 'json');
  const ofDaemons = (JSON.parse(daemons.stdout) as WhyJson).rollout;
  expect(ofDaemons?.fact.data).toMatchObject({
    revision: 2,
    images: [
      {
        container: 'app',
        from: 'registry.example.com/shop/agent:v1',
        to: 'registry.example.com/shop/agent:v2',
      },
    ],
  });
  expect(ofDaemons?.secondsBefore).toBe(6);
  const healthy = await whyOf(path('image-recovered'), 'deployments/web', '-n', 'shop', '-o', 'json');
  expect((JSON.parse(healthy.stdout) as WhyJson).rollout).toBeUndefined();
});

test('leaves out what ended before the range', { timeout: 60_000 }, async () => {
  const { code, stdout } = await whyOf(
    path('segfault'),
    'deployments/encoder',
    '-n',
    'shop',
    '--since=1m',
    '-o',
    'json',
  );
  expect({ code, outcome: (JSON.parse(stdout) as WhyJson).outcome }).toEqual({ code: 0, outcome: 'healthy' });
});

test.each(RULES)('the rule of $code is proven by $scenario, and does not fire in $contrary', (proven) => {
  const { code, scenario, contrary } = proven;
  expect(CAUSES[scenario]?.codes).toContain(code);
  expect(CAUSES).toHaveProperty([contrary]);
  expect(CAUSES[contrary]?.codes).not.toContain(code);
});
