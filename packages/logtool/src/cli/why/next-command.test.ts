import { expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import { planWhy } from '../plan/why/plan-why.ts';
import { nextCommand } from './next-command.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });

const EXPLANATION: Explanation = {
  outcome: 'explained',
  from: at(0),
  knownFrom: at(0),
  subject: { kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'web' },
  pods: { total: 1, ready: 0 },
  since: at(1_000),
  rollout: undefined,
  verdicts: [],
  unexplained: [],
  also: [],
  hasReadLines: false,
  logs: undefined,
  workloads: [],
  healthy: { count: 0, names: [] },
  doubts: [],
};

async function nextOf(source: string, flags: Readonly<Record<string, string>>, explanation = EXPLANATION) {
  const given = Object.entries(flags).map(
    ([name, value]) => [name, [{ written: `--${name}`, value }]] as const,
  );
  const raw = { command: 'why', positionals: [source], flags: new Map(given) };
  return nextCommand('logtool', explanation, await planWhy(capture([]).context, raw));
}

test('the next command shows all from a minute before the first sign to a minute after it', async () => {
  expect(await nextOf('web', {})).toBe(
    'logtool logs shop:deployment/web --since 1970-01-01T00:15:40Z --until 1970-01-01T00:17:40Z --all --events all',
  );
});

test('without a problem it shows the first of the other facts, or the newest lines', async () => {
  const calm = { ...EXPLANATION, since: undefined };
  expect(await nextOf('web', { since: '2026-01-01T00:00:00Z' }, calm)).toBe(
    'logtool logs shop:deployment/web --since 2026-01-01T00:00:00Z --tail=100 --events all',
  );
  const also = [{ since: at(1_000) }] as unknown as Explanation['also'];
  expect(await nextOf('web', {}, { ...calm, also })).toContain('--since 1970-01-01T00:15:40Z --until');
});

test('of errors without a known beginning, it shows the first', async () => {
  const errors = { errors: 9, since: at(2_000), until: at(3_000) };
  const next = (mayBeOlder: boolean) => {
    const logs = { containers: 1, from: at(2_000), until: at(3_000), steady: { ...errors, mayBeOlder } };
    return nextOf('web', { since: '2026-01-01T00:00:00Z' }, { ...EXPLANATION, since: undefined, logs });
  };
  expect(await next(true)).toBe(
    'logtool logs shop:deployment/web --since 2026-01-01T00:00:00Z --level error,fatal --head=20 --events all',
  );
  expect(await next(false)).toContain('--tail=100');
});

test('it reaches the same cluster', async () => {
  expect(await nextOf('web', { 'kube-context': 'my prod' })).toContain(" --kube-context 'my prod' ");
});

test('of several workloads it has the source as typed, quoted, and where it was searched', async () => {
  const several = { ...EXPLANATION, subject: undefined };
  expect(await nextOf("pods/it's*", { namespace: 'a,b', selector: 'app in (x)' }, several)).toBe(
    "logtool logs 'pods/it'\\''s*' -n a,b -l 'app in (x)' --since 1970-01-01T00:15:40Z --until 1970-01-01T00:17:40Z --all --events all",
  );
});

test('errors before which nothing is new lead to the whole namespace', async () => {
  const doubts = [{ code: 'nothing-new-before', data: { seconds: 1_800, names: [], more: 0 } }] as const;
  const verdict = {
    code: 'log-errors',
    since: at(1_000),
    proof: [],
    doubts,
  } as unknown as Explanation['verdicts'][number];
  const explanation = { ...EXPLANATION, verdicts: [verdict] };
  expect(await nextOf('web', { since: '2026-01-01T00:00:00Z', 'kube-context': 'prod' }, explanation)).toBe(
    "logtool why 'shop:pods/*' --kube-context prod --since 2026-01-01T00:00:00Z",
  );
  expect(await nextOf('pods/*', {}, { ...explanation, subject: undefined })).toContain('logtool logs');
});

const EXIT = {
  id: 'exit',
  kind: 'exited',
  precision: 's',
  severity: 'fatal',
  subject: { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: '1', container: 'app' },
  reason: 'Error',
  message: '',
  count: 1,
  source: 'pod',
  data: { exitCode: 1, lastedMs: 2_000, restarts: 1, isInit: false, wasDeleted: false },
} as const;

function endedAt(...seconds: readonly number[]): Explanation {
  const proof = seconds.map((second) => ({ ...EXIT, id: `exit-${second}`, at: at(second) }));
  const verdict = { code: 'crashed', since: at(1_000), doubts: [], proof };
  return { ...EXPLANATION, verdicts: [verdict as unknown as Explanation['verdicts'][number]] };
}

test('if the runs of the first sign are removed, it shows the last end', async () => {
  expect(await nextOf('web', {}, endedAt(1_600, 1_900))).toContain(
    '--since 1970-01-01T00:30:40Z --until 1970-01-01T00:32:40Z',
  );
});

test('if one of the runs of the first sign remains, it shows that sign', async () => {
  expect(await nextOf('web', {}, endedAt(1_001, 1_900))).toContain('--since 1970-01-01T00:15:40Z');
  const { verdicts } = endedAt(1_900);
  const other = { code: 'evicted', since: at(1_000), doubts: [], proof: [] };
  const both = { ...EXPLANATION, verdicts: [...verdicts, other as unknown as (typeof verdicts)[number]] };
  expect(await nextOf('web', {}, both)).toContain('--since 1970-01-01T00:15:40Z');
});
