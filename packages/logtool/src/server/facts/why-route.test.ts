import type { KubeClient } from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patientClock } from '../../../../../test/support/patient-clock.ts';
import {
  appOf,
  type ServicesAround,
  servicesAround,
} from '../../../../../test/support/server/around-route.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { codeOf } from '../../../../../test/support/server/start-dashboard.ts';
import type { LogFrame } from '../../contract/log-frame.ts';
import { WhyAnswer } from '../../contract/why.ts';

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/happenings/oom-container.yaml' });
  client = await simClient(cluster);
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

function post(services: ServicesAround, query: object, signal?: AbortSignal) {
  return appOf('POST /contexts/{context}/why', services).request('/contexts/sim/why', {
    method: 'POST',
    body: JSON.stringify({ id: 3, ...query }),
    headers: { 'content-type': 'application/json' },
    ...(signal === undefined ? {} : { signal }),
  });
}

test('the cause comes first, with the facts and lines that prove it', async () => {
  const services = servicesAround(client, { clock: patientClock() });
  const answer = await post(services, { sources: ['deployments/web'] });
  const given = await answer.json();
  const why = WhyAnswer.parse(given);
  expect(why).toEqual(given);
  expect([why.outcome, why.subject?.name, why.failures]).toEqual(['explained', 'web', []]);
  const [first] = why.verdicts;
  expect(first).toMatchObject({ code: 'oom-container', data: { container: 'app', memoryLimit: '256Mi' } });
  expect(first?.proof.map(({ reason }) => reason)).toContain('OOMKilled');
  expect(first?.lines?.lines.length).toBeGreaterThan(0);
  expect(why.rollout?.fact.data).toMatchObject({ images: [{ container: 'app' }] });
  expect([services.leases, services.open]).toEqual([0, 0]);
});

test('each line of the proof has the name under which the page finds it', async () => {
  const services = servicesAround(client, { clock: patientClock() });
  const why = WhyAnswer.parse(await (await post(services, { sources: ['deployments/web'] })).json());
  const lines = why.verdicts[0]?.lines?.lines ?? [];
  expect(lines).not.toEqual([]);
  const query = { id: 1, sources: ['deployments/web'], selection: { kind: 'all' } };
  const logs = await appOf('POST /contexts/{context}/logs', services).request('/contexts/sim/logs', {
    method: 'POST',
    body: JSON.stringify({ queries: [query] }),
    headers: { 'content-type': 'application/json' },
  });
  const frames = await new Frames<LogFrame>(logs).rest();
  const orders = new Map(
    frames.flatMap((frame) =>
      frame.type === 'sources' ? frame.sources.map(({ index, order }) => [index, order] as const) : [],
    ),
  );
  const records = frames.flatMap((frame) => (frame.type === 'records' ? frame.records : []));
  for (const { at, order, ordinal, text } of lines) {
    const [seconds, nanos] = [Date.parse(`${at.slice(0, 19)}Z`) / 1_000, Number(at.slice(20, 29))];
    const same = records.filter(
      (record) => record[1] === seconds && record[2] === nanos && orders.get(record[0]) === order,
    );
    expect(same[ordinal]?.[3]).toBe(text);
  }
});

test('a source that does not exist is a failure of the answer, which says nothing else', async () => {
  const answer = await post(servicesAround(client, { clock: patientClock() }), {
    sources: ['deployments/none'],
  });
  const why = WhyAnswer.parse(await answer.json());
  expect([why.outcome, why.failures.map(({ code }) => code), why.verdicts]).toEqual([
    'unread',
    ['source-not-found'],
    [],
  ]);
});

test('a wrong source is an error', async () => {
  const answer = await post(servicesAround(client, { clock: patientClock() }), { sources: ['/'] });
  expect([answer.status, await codeOf(answer)]).toEqual([400, 'bad-source']);
});

/** Runs an action while the cluster delays every answer. */
async function whileStalled(run: () => Promise<void>): Promise<void> {
  cluster.inject({ kind: 'delay', match: '/pods', delayMs: 3_600_000 });
  try {
    await run();
  } finally {
    cluster.clearFaults();
  }
}

test('a page that leaves ends the reading', () =>
  whileStalled(async () => {
    const services = servicesAround(client, { clock: patientClock() });
    const leave = new AbortController();
    const asking = post(services, { sources: ['deployments/web'] }, leave.signal);
    await expect.poll(() => services.open).toBe(1);
    leave.abort();
    await asking;
    expect([services.leases, services.open]).toEqual([0, 0]);
  }));

test('signing out ends the reading', () =>
  whileStalled(async () => {
    const services = servicesAround(client, { clock: patientClock() });
    const asking = post(services, { sources: ['deployments/web'] });
    await expect.poll(() => services.open).toBe(1);
    services.closeAll('signed-out');
    expect(await codeOf(await asking)).toBe('not-signed-in');
    expect([services.leases, services.open]).toEqual([0, 0]);
  }));

test('a cluster that does not answer for half a minute is an error', () =>
  whileStalled(async () => {
    const clock = new FakeClock();
    const services = servicesAround(client, { clock });
    const asking = post(services, { sources: ['deployments/web'] });
    await expect.poll(() => services.open).toBe(1);
    await clock.advance(30_000);
    const answer = await asking;
    expect([answer.status, await codeOf(answer)]).toEqual([503, 'answer-too-slow']);
    expect([services.leases, services.open, clock.pending]).toEqual([0, 0, 0]);
  }));

test.each([
  ['image-tag', 'image-tag-missing'],
  ['missing-key', 'key-missing'],
  ['unschedulable-cpu', 'unschedulable'],
  ['quota-exceeded', 'quota-exceeded'],
  ['rollout-stuck', 'rollout-stuck'],
  ['oom-child', 'oom-child'],
  ['node-lost', 'node-lost'],
])('%s is answered in the form of the contract', { timeout: 60_000 }, async (name, code) => {
  const other = await startSimCluster({ scenario: `scenarios/happenings/${name}.yaml` });
  const own = await simClient(other);
  try {
    const given = await (
      await post(servicesAround(own, { clock: patientClock() }), {
        sources: ['shop:pods/*', 'shop:deployments/*'],
      })
    ).json();
    expect(WhyAnswer.parse(given)).toEqual(given);
    expect((given as WhyAnswer).verdicts.map((verdict) => verdict.code)).toContain(code);
  } finally {
    own.close();
    await other.close();
  }
});

test('errors of a log are answered with lines that the page can name, and each workload by itself', {
  timeout: 60_000,
}, async () => {
  const other = await startSimCluster({ scenario: 'scenarios/incidents/pool-limit.yaml' });
  const own = await simClient(other);
  try {
    const services = servicesAround(own, { clock: patientClock() });
    const given = await (await post(services, { sources: ['shop:pods/*'] })).json();
    const why = WhyAnswer.parse(given);
    expect(why).toEqual(given);
    expect(why.workloads.map(({ subject, verdicts }) => [subject.name, verdicts])).toEqual([
      ['payment', [0]],
      ['gateway', [1]],
    ]);
    const { log } = why.verdicts[0]!;
    expect([log?.newBefore[0]?.text, log?.firstError.container]).toEqual([
      expect.stringContaining('configuration reloaded: pool.max=60'),
      'app',
    ]);
    expect([services.leases, services.open]).toEqual([0, 0]);
  } finally {
    own.close();
    await other.close();
  }
});
