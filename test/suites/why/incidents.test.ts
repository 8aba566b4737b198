import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { expectGolden } from '../../support/cli/golden.ts';
import { NOON, openWhy, type WhyJson } from './why-world.ts';

/** Hardly any time passes: how much of a log is read does not depend on how busy the machine is. */
const STILL: Clock = {
  now: () => NOON,
  steady: () => 0,
  after: (delayMs, callback) => systemClock.after(100 * delayMs, callback),
};

/** Each look at it takes so many ms, whatever the machine. */
function clockOf(stepMs: number): Clock {
  let ms = 0;
  return {
    ...STILL,
    steady: () => {
      ms += stepMs;
      return ms;
    },
  };
}

const SCENARIOS = resolve(import.meta.dirname, '../../../scenarios');
const KINDS = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch'] as const;

/**
 * Returns `why`'s answer for each workload of a scenario: the outcome, and its verdicts with their first
 * errors and new lines.
 */
async function answersOf(scenario: string): Promise<Readonly<Record<string, string>>> {
  const world = await openWhy(join(SCENARIOS, scenario), STILL);
  try {
    const answers: Record<string, string> = {};
    for (const kind of KINDS)
      for (const { metadata } of world.cluster.store.list(kind, 'shop')) {
        const { stdout } = await world.why(
          `${kind.split('.')[0]}/${metadata.name}`,
          '-n',
          'shop',
          '-o',
          'json',
        );
        const { outcome, verdicts } = JSON.parse(stdout) as WhyJson;
        const codes = verdicts.map(({ code, lines, log }) =>
          [
            code,
            lines?.records[lines.firstError ?? -1]?.message,
            log?.newBefore[0]?.message,
            log?.firstError.message,
          ]
            .filter(Boolean)
            .join(' > '),
        );
        answers[metadata.name] = [outcome, ...codes].join('; ');
      }
    return answers;
  } finally {
    await world.close();
  }
}

interface Incident {
  /** Default: all pods; set if their logs are too large. */
  readonly source?: string;
  /** How far back to read logs, if the default hour is too short. */
  readonly since?: string;
  /** The workload that fails first. */
  readonly workload: string;
  /** Part of its first error. */
  readonly error: string;
  /** Part of the most conspicuous new line before it; undefined: no line is new, and a doubt says so. */
  readonly cause: string | undefined;
}

/**
 * The cluster's facts show no trouble in these scenarios: the causes are in the logs, as each description
 * explains.
 */
const INCIDENTS: Readonly<Record<string, Incident>> = {
  'expired-certificate': {
    workload: 'tokens',
    error: 'certificate has expired',
    cause: 'could not be renewed: the ACME account is gone',
  },
  'full-disk': { workload: 'orders-db', error: 'No space left on device', cause: undefined },
  'lock-in-migration': {
    workload: 'cart-db',
    error: 'canceling statement due to statement timeout',
    cause: 'ALTER TABLE carts',
  },
  'memory-leak': {
    workload: 'catalog',
    error: 'OutOfMemoryError',
    cause: undefined,
  },
  'missing-setting': {
    workload: 'gateway',
    error: 'is not ready',
    cause: 'QUOTES_RATES_URL is not set',
  },
  'name-lookups': { workload: 'names', error: 'SERVFAIL', cause: 'unknown directive forwrd' },
  'noisy-service': { workload: 'search', error: 'returned NaN', cause: 'flag new-ranking is on' },
  'poison-message': {
    source: 'deployments/mailer',
    since: '2h',
    workload: 'mailer',
    error: 'cannot be processed',
    cause: 'unknown schema version 9',
  },
  'pool-limit': {
    workload: 'payment',
    error: 'no connection in 30000ms',
    cause: 'configuration reloaded: pool.max=60',
  },
  'refused-by-provider': {
    workload: 'billing',
    error: 'provider answered 429',
    cause: 'setting changed: retries.backoff=0',
  },
  'retry-storm': { workload: 'inventory', error: 'queue is full', cause: 'inventory is slow' },
  silence: { workload: 'reports', error: 'no settlement for shard', cause: 'lease of shard 4 lost' },
};

test('every incident has its cause here', () => {
  const names = readdirSync(join(SCENARIOS, 'incidents')).map((file) => file.replace(/\.yaml$/, ''));
  expect(names.sort()).toEqual(Object.keys(INCIDENTS).sort());
});

test.each(Object.entries(INCIDENTS))(
  '%s is explained by what is new before its first error',
  { timeout: 120_000 },
  async (name, { source = 'pods/*', since = '1h', workload, error, cause }) => {
    const world = await openWhy(join(SCENARIOS, `incidents/${name}.yaml`), STILL);
    try {
      const asked = [source, '-n', 'shop', '--since', since] as const;
      const { stdout, stderr, code } = await world.why(...asked, '-o', 'json');
      const found = JSON.parse(stdout) as WhyJson;
      const [first] = found.verdicts;
      expect({ code, stderr, outcome: found.outcome, first: first?.code }).toEqual({
        code: 0,
        stderr: '',
        outcome: 'explained',
        first: 'log-errors',
      });
      expect(first?.pods[0]?.startsWith(`${workload}-`)).toBe(true);
      expect(first?.log?.firstError.message).toContain(error);
      const [line] = first?.log?.newBefore ?? [];
      expect(line && `${line.message} ${line.detail ?? ''}`).toEqual(
        cause === undefined ? undefined : expect.stringContaining(cause),
      );
      const doubts = first?.doubts.map((doubt) => doubt.code);
      expect(doubts).toEqual([cause === undefined ? 'nothing-new-before' : 'new-is-no-proof']);
      if (GOLDEN.includes(name)) expectGolden(`why/${name}.txt`, (await world.why(...asked)).stdout);
    } finally {
      await world.close();
    }
  },
);

/** Golden outputs of `why`, kept in full for people to read. */
const GOLDEN: readonly string[] = ['pool-limit', 'missing-setting', 'noisy-service'];

test("the shop's incident is explained: its error first, and what it is not", {
  timeout: 120_000,
}, async () => {
  const answers = await answersOf('shop.yaml');
  expect(answers.payment).toBe(
    'explained; crashed > ERROR could not open a connection in 20s: FATAL: sorry, too many clients already',
  );
  // Its OOM kill is over; its failure to charge continues.
  expect(answers.checkout).toMatch(/^explained; log-errors > .*; oom-container > /);
  const others = Object.entries(answers).filter(([name]) => name !== 'payment' && name !== 'checkout');
  expect(answers['orders-db']).toMatch(
    /^explained; log-errors > .*88 by payment-2\.8\.0 idle in transaction/,
  );
  // A Job that started in this very second has no ready pod yet.
  const settled = others.filter(([name]) => name !== 'settlement-report-29922480');
  const explained = settled.filter(([, text]) => text !== 'healthy');
  expect(explained.map(([name]) => name).sort()).toEqual(['api-gateway', 'frontend', 'orders-db']);
});

test.each([1, 20, 1_000])(
  'a log that does not arrive in time is never called healthy without a doubt (%s)',
  {
    timeout: 120_000,
  },
  async (stepMs) => {
    const world = await openWhy(join(SCENARIOS, 'incidents/memory-leak.yaml'), clockOf(stepMs));
    try {
      const { stdout } = await world.why('pods/*', '-n', 'shop');
      if (stdout.includes('healthy')) {
        expect(stdout).toMatch(/it did not read where they begin$|logtool could not read any log$/m);
        expect(stdout).toMatch(
          /^ {2}\? (?:there is more in the logs than|logtool did not read the log of) /m,
        );
      } else expect(stdout).toContain('OutOfMemoryError');
    } finally {
      await world.close();
    }
  },
);

test('of logs that are too large the newest part is read, and no more is claimed', {
  timeout: 120_000,
}, async () => {
  const world = await openWhy(join(SCENARIOS, 'incidents/poison-message.yaml'), STILL);
  try {
    const { stdout } = await world.why('pods/*', '-n', 'shop', '--since', '6h', '-o', 'json');
    const { outcome, logs, doubts } = JSON.parse(stdout) as WhyJson;
    expect([outcome, logs?.containers, logs?.until]).toEqual([
      'healthy',
      3,
      '2026-11-22T12:00:00.000000000Z',
    ]);
    expect(logs?.from).toMatch(/^2026-11-22T11:/);
    expect(doubts.map(({ code }) => code)).toEqual(['events-expired', 'logs-read-late', 'steady-errors']);
  } finally {
    await world.close();
  }
});

test('the whole shop has one section for each workload with a problem', { timeout: 120_000 }, async () => {
  const world = await openWhy(join(SCENARIOS, 'shop.yaml'), STILL);
  try {
    const { stdout } = await world.why('shop:pods/*', '-o', 'json');
    const { workloads, verdicts, healthy } = JSON.parse(stdout) as WhyJson;
    const codes = workloads.map(({ subject, verdicts: own }) => [
      subject.name,
      ...own.map((index) => verdicts[index]?.code),
    ]);
    expect(codes).toEqual([
      ['checkout', 'log-errors', 'oom-container'],
      ['orders-db', 'log-errors'],
      ['api-gateway', 'log-errors'],
      ['frontend', 'log-errors'],
      ['payment', 'crashed'],
      // It started in this very second.
      ['settlement-report'],
    ]);
    expect(verdicts[0]?.log?.newBefore[0]?.message).toBe('WARN: pool.leakDetection is off in this profile');
    // Those that completed before are of the same CronJob.
    expect(healthy.count).toBe(6);
  } finally {
    await world.close();
  }
});
