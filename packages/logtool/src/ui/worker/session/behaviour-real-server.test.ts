import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  appOf,
  type ServicesAround,
  servicesAround,
} from '../../../../../../test/support/server/around-route.ts';
import { simClient } from '../../../../../../test/support/server/sim-client.ts';
import { createClient } from '../../api/create-client.ts';
import { readPage } from '../intake/page-reader.ts';
import type { BufferStatus, FromWorker, Row } from '../protocol/protocol.ts';
import { LogSession } from './log-session.ts';

let cluster: SimCluster;
let client: KubeClient;
let services: ServicesAround;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/shop.yaml' });
  client = await simClient(cluster);
});
// What a count of one test has read must not serve the next test.
beforeEach(() => {
  services = servicesAround(client);
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

const SOURCES = ['shop:deployments/*', 'shop:statefulsets/*'];

/** Opens a session on the real route, without sockets. */
function openSession(clock: Clock = systemClock) {
  const logs = appOf('POST /contexts/{context}/logs', services);
  const scan = appOf('POST /contexts/{context}/scan', services);
  const send: typeof fetch = async (url, init) =>
    (String(url).endsWith('/scan') ? scan : logs).request(String(url).replace('/api/v1', ''), init);
  const api = createClient({ basePath: '', token: () => 'token', fetch: send });
  const reported: FromWorker[] = [];
  const waiting = new Set<() => void>();
  const session = new LogSession({
    api,
    clock,
    limits: { lines: 1_000_000, bytes: 2 ** 29 },
    send(message) {
      reported.push(message);
      for (const wake of waiting) wake();
    },
  });
  const until = (isTrue: (status: BufferStatus) => boolean): Promise<BufferStatus> =>
    new Promise((resolve) => {
      const checkWaiting = () => {
        const status = reported.findLast((message) => message.type === 'status')?.status;
        if (status === undefined || !isTrue(status)) return;
        waiting.delete(checkWaiting);
        resolve(status);
      };
      waiting.add(checkWaiting);
      checkWaiting();
    });
  const rows = (): readonly Row[] => {
    session.take({ type: 'rows', request: 1, anchor: { at: 'start' }, above: 0, below: 1_000_000 });
    const answer = reported.findLast((message) => message.type === 'rows');
    return answer?.type === 'rows' ? answer.rows : [];
  };
  const found = (request: number) =>
    reported.find((message) => message.type === 'found' && message.request === request);
  return { api, session, until, rows, found };
}

const isLine = (row: Row): row is Extract<Row, { readonly kind: 'line' }> => row.kind === 'line';

test('through older pages and restarts of the server, what is held is what a whole read gives', async () => {
  const { api, session, until, rows } = openSession();
  session.take({ type: 'view', plan: { context: 'sim', sources: SOURCES, follow: true } });
  await until(({ loading, lines }) => loading === 'none' && lines >= 1_000);
  for (let page = 1; page <= 2; page++) {
    session.take({ type: 'load', what: 'older' });
    await until(({ loading, lines }) => loading === 'none' && lines >= 1_000 * (page + 1));
  }
  for (let restart = 0; restart < 3; restart++) {
    const { arrived } = await until(({ connection }) => connection.state === 'live');
    services.closeAll('shutdown');
    await until(({ connection }) => connection.state === 'reconnecting');
    session.take({ type: 'retry-now' });
    await until((status) => status.connection.state === 'live' && status.arrived > arrived);
  }
  const lines = rows().filter(isLine);
  expect(rows().filter(({ kind }) => kind === 'missing')).toEqual([]);

  // Lines of the last second may be missing from the complete read.
  const settledSeconds = (lines.at(-1)?.seconds ?? 0) - 2;
  const [first] = lines;
  const last = lines.findLast(({ seconds }) => seconds < settledSeconds);
  const timeOf = (row: typeof first) => row?.link.split('~')[0] ?? '';
  const page = await readPage(
    api,
    'sim',
    {
      id: 1,
      sources: SOURCES,
      selection: { kind: 'all' },
      from: { kind: 'inclusive', at: timeOf(first) },
      to: { kind: 'inclusive', at: timeOf(last) },
    },
    { signal: new AbortController().signal, clock: systemClock },
  );
  const orders = new Map(page.sources.map(({ index, id }) => [index, id]));
  const written = page.records.map(([source, seconds, nanos, text]) => [
    seconds,
    nanos,
    orders.get(source),
    text,
  ]);
  expect(written.length).toBeGreaterThan(2_900);
  // On a busy machine some containers resume later than the one whose line came first.
  const isSettled = ({ seconds, nanos }: { readonly seconds: number; readonly nanos: number }) =>
    last !== undefined && (seconds - last.seconds || nanos - last.nanos) <= 0;
  const shown = () =>
    rows()
      .filter(isLine)
      .filter(isSettled)
      .map(({ seconds, nanos, link, text }) => {
        const order = link.split('~').slice(2).join('~');
        return [seconds, nanos, order.split('/').slice(0, 2).join('/'), text];
      });
  await expect.poll(() => shown().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(written.length);
  expect(shown()).toEqual(written);
  session.close();
});

test('a jump to the start of the logs and one to a time show the lines there', async () => {
  const { session, until, rows } = openSession();
  session.take({ type: 'view', plan: { context: 'sim', sources: ['shop:deployments/*'], follow: false } });
  const opened = await until(({ loading, lines }) => loading === 'none' && lines >= 1_000);
  session.take({ type: 'jump', request: 2, to: { at: 'start' } });
  const status = await until(({ atBeginning }) => atBeginning);
  expect(status.oldestSeconds).toBeLessThan(opened.oldestSeconds ?? 0);
  const between = Math.floor(((status.oldestSeconds ?? 0) + (opened.oldestSeconds ?? 0)) / 2);
  session.take({ type: 'jump', request: 3, to: { at: 'time', seconds: between, nanos: 0 } });
  await until(({ loading, lines }) => loading === 'none' && lines > status.lines);
  const times = rows()
    .filter(isLine)
    .map(({ seconds, nanos }) => seconds * 1e9 + nanos);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(rows().filter(({ kind }) => kind === 'missing').length).toBeGreaterThan(0);
  session.close();
});

/** The view begins no count of its own, after which the server would have everything that is sought. */
const WITHOUT_COUNTS: Clock = {
  ...systemClock,
  after: (delayMs, callback) => (delayMs < 250 ? systemClock.after(delayMs, callback) : () => undefined),
};

test('a look for a line that is stopped ends its reads of the cluster', async () => {
  const { session, until, rows, found } = openSession(WITHOUT_COUNTS);
  session.take({ type: 'view', plan: { context: 'sim', sources: ['shop:deployments/*'], follow: false } });
  await until(({ loading, lines }) => loading === 'none' && lines >= 1_000);
  session.take({ type: 'jump', request: 2, to: { at: 'start' } });
  await until(({ atBeginning, loading }) => atBeginning && loading === 'none');
  session.take({
    type: 'search',
    plan: { text: '"never written"', matchCase: false, wholeWord: false, regex: false, only: false },
  });
  await until(({ search }) => search.state === 'done');
  cluster.inject({ kind: 'stall', match: '/log', afterBytes: 20_000, delayMs: 3_600_000 });
  const reads: AbortSignal[] = [];
  const { log } = client;
  Object.assign(client, {
    log: ((query, options) => {
      if (options?.signal !== undefined) reads.push(options.signal);
      return log(query, options);
    }) satisfies KubeClient['log'],
  });
  const first = rows().find(isLine)?.entry;
  session.take({ type: 'find', request: 3, from: first, direction: 'next', what: 'hit' });
  await until(({ finding }) => (finding?.bytes ?? 0) > 0);
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.every(({ aborted }) => aborted)).toBe(false);
  session.take({ type: 'stop-find' });
  await until(({ finding }) => finding === undefined);
  await expect.poll(() => reads.every(({ aborted }) => aborted)).toBe(true);
  await expect.poll(() => found(3)).toMatchObject({ isStopped: true, entry: undefined, unread: {} });
  Object.assign(client, { log });
  cluster.clearFaults();
  session.close();
});
