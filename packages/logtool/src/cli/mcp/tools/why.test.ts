import { join, resolve } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../../../../../test/support/cli/open-reader.ts';
import { patientClock } from '../../../../../../test/support/patient-clock.ts';
import { findWorkloads } from './find-workloads.ts';
import { why } from './why.ts';

const HAPPENINGS = resolve(import.meta.dirname, '../../../../../../scenarios/happenings');

let cluster: SimCluster;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: join(HAPPENINGS, 'crash-with-trace.yaml') });
}, 60_000);
afterAll(() => cluster.close());

interface Explained {
  readonly summary: string;
  readonly outcome: string;
  readonly causes: readonly {
    readonly code: string;
    readonly events: readonly string[];
    readonly workload?: string;
    readonly lines: readonly {
      readonly message: string;
      readonly origin?: string;
      readonly isFirstError: boolean;
    }[];
  }[];
  readonly causeCount: number;
  readonly truncated: boolean;
  readonly redacted: readonly { readonly kind: string; readonly count: number }[];
  readonly notes: readonly string[];
}

const never = new AbortController().signal;

async function call(
  given: Readonly<Record<string, unknown>>,
  allowedNamespaces: readonly string[] = [],
  of = cluster,
) {
  const reader = { ...(await openReader(of, patientClock())), allowedNamespaces };
  const { text, structured } = await why.call(reader, why.input.parse(given), never);
  expect(why.output.parse(structured)).toEqual(structured);
  return { text, structured: structured as unknown as Explained };
}

test('why names the cause, with the lines and events that prove it, all fenced as data', async () => {
  const { text, structured } = await call({ source: 'deployments/pricing', max_bytes: 100_000 });
  expect([structured.outcome, structured.truncated]).toEqual(['explained', false]);
  const [first] = structured.causes;
  expect(first?.code).toBe('crashed');
  expect(first?.lines.find(({ isFirstError }) => isFirstError)?.message).toContain('NullPointerException');
  expect(first?.events.join()).toContain('exited 1');
  expect(structured.summary).toMatch(/^0 of 2 pods ready; 1 cause: crashed$/);
  const [head = '', data = ''] = text.split(/--- begin log data/);
  expect(head).not.toContain('NullPointerException');
  expect(data).toContain('> ');
});

test('an answer with little room keeps the causes, and says that proof is missing', async () => {
  for (const max_bytes of [1_024, 1_500, 2_000]) {
    const { text, structured } = await call({ source: 'deployments/pricing', max_bytes });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max_bytes);
    expect(Buffer.byteLength(JSON.stringify(structured))).toBeLessThanOrEqual(max_bytes);
    expect([structured.truncated, structured.causeCount]).toEqual([true, 1]);
    expect(text).toContain('crashed');
  }
});

test('secrets in the last lines are masked and counted', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const container = { name: 'app', lines: [`login with ${token}`, 'fatal: no access'], exit: { code: 1 } };
  const leaky = await startSimCluster({
    scenario: {
      namespace: 'shop',
      namespaces: ['shop'],
      backfill: '10m',
      nodes: [{ name: 'node' }],
      workloads: [{ kind: 'Deployment', name: 'leaky', replicas: 1, containers: [container] }],
    },
  });
  try {
    const reader = await openReader(leaky);
    const { text, structured } = await why.call(
      reader,
      why.input.parse({ source: 'shop:deployments/leaky' }),
      never,
    );
    const { causes, redacted } = structured as unknown as Explained;
    expect(causes[0]?.lines.map(({ message }) => message)).toContain('fatal: no access');
    expect(redacted.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    expect(text + JSON.stringify(structured)).not.toContain(token);
  } finally {
    await leaky.close();
  }
});

test('where only some namespaces may be read, nothing of nodes is', async () => {
  const before = cluster.requests.length;
  const { structured } = await call({ source: 'deployments/pricing' }, ['shop']);
  expect(structured.outcome).toBe('explained');
  expect(structured.notes.join()).toContain('changes of nodes do not appear');
  // As on the command line without these permissions.
  expect(structured.notes).toContain(
    'logtool could not read nodes: it cannot exclude a node that was lost or short of memory',
  );
  expect(structured.notes.join()).toContain('logtool could not read events about nodes');
  expect(cluster.requests.slice(before).filter((request) => /nodes/.test(request))).toEqual([]);
  await expect(call({ source: 'elsewhere:deployments/pricing' }, ['shop'])).rejects.toMatchObject({
    code: 'namespace-not-allowed',
  });
});

test('errors of logs are explained by what was new before them, each workload by itself, at any size', {
  timeout: 60_000,
}, async () => {
  const incident = await startSimCluster({ scenario: join(HAPPENINGS, '../incidents/pool-limit.yaml') });
  try {
    const ask = (max_bytes: number) => call({ source: 'shop:pods/*', max_bytes }, [], incident);
    const { text, structured } = await ask(100_000);
    expect(structured.causes.map(({ code, workload }) => [code, workload])).toEqual([
      ['log-errors', 'Deployment shop/payment'],
      ['log-errors', 'Deployment shop/gateway'],
    ]);
    const lines = structured.causes[0]?.lines ?? [];
    expect(lines[0]).toMatchObject({
      message: expect.stringContaining('configuration reloaded: pool.max=60'),
      origin: expect.stringMatching(/^payment-\S+ app/),
      isFirstError: false,
    });
    expect(lines.at(-1)).toMatchObject({
      message: expect.stringContaining('no connection in 30000ms'),
      isFirstError: true,
    });
    const [head = '', data = ''] = text.split(/--- begin log data/);
    expect(head).not.toContain('configuration reloaded');
    expect(data.indexOf('payment (Deployment, shop)')).toBeLessThan(data.indexOf('configuration reloaded'));
    for (const max_bytes of [1_024, 1_500, 2_000]) {
      const small = await ask(max_bytes);
      expect(Buffer.byteLength(small.text)).toBeLessThanOrEqual(max_bytes);
      expect(Buffer.byteLength(JSON.stringify(small.structured))).toBeLessThanOrEqual(max_bytes);
      expect([small.structured.truncated, small.structured.causeCount]).toEqual([true, 2]);
    }
  } finally {
    await incident.close();
  }
});

test('a source that does not exist is an error', async () => {
  await expect(call({ source: 'deployments/none' })).rejects.toMatchObject({ code: 'source-not-found' });
});

test.each([
  [
    'why',
    (reader: Parameters<typeof why.call>[0]) =>
      why.call(reader, why.input.parse({ source: 'deployments/pricing' }), never),
  ],
  [
    'find_workloads',
    (reader: Parameters<typeof why.call>[0]) =>
      findWorkloads.call(reader, findWorkloads.input.parse({}), never),
  ],
] as const)('%s stops after 25 seconds and says so', async (_, run) => {
  const clock = new FakeClock();
  cluster.inject({ kind: 'stall', match: '/pods', afterBytes: 0 });
  try {
    const before = cluster.requests.length;
    const outcome = run(await openReader(cluster, clock)).then(
      () => 'answered',
      (error: { readonly code?: string }) => error.code,
    );
    await expect.poll(() => cluster.requests.length).toBeGreaterThan(before);
    await expect.poll(() => clock.pending).toBeGreaterThan(0);
    await clock.advance(24_999);
    expect(await Promise.race([outcome, Promise.resolve('reading')])).toBe('reading');
    await clock.advance(1);
    expect(await outcome).toBe('read-too-slow');
  } finally {
    cluster.clearFaults();
  }
});
