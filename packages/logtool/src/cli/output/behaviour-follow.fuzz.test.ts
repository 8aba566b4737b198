import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Capture, capture } from '../../../../../test/support/cli/capture.ts';
import { httpAnswer } from '../../../../../test/support/fuzz/bytes-agent.ts';
import { bytesClient, runDown, settle } from '../../../../../test/support/fuzz/bytes-client.ts';
import { damage, damaged } from '../../../../../test/support/fuzz/damage.ts';
import { expectCleanPrototypes, expectEscaped } from '../../../../../test/support/fuzz/escaped.ts';
import { hostileText } from '../../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED, HANG_MS } from '../../../../../test/support/fuzz/seed.ts';
import { withMessage } from '../../../../../test/support/with-message.ts';
import type { Resolve } from '../../resolve/resolve.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import { scanLogs } from '../../stream/scan/scan-logs.ts';
import { readLogs } from '../../stream/view/read-logs.ts';
import { logs } from '../commands/logs.ts';
import { EXIT, exitCodeOf, Stop } from '../exit-codes.ts';
import { parseCommandLine } from '../flags/find-command.ts';
import { errorText } from './error-text.ts';

const FLAGS = [
  [],
  ['--all'],
  ['--tail=2', '--with-cursors'],
  ['--output=json', '--all'],
  ['--raw', '--all'],
  ['--previous=no', '--columns=pod,node,container'],
  ['--grep=a|\\[', '--force'],
  ['--max-log-requests=1', '--all'],
] as const;
const ENDING = [['web'], ['pods/web'], ['pods/web/app']] as const;
const ENDLESS = [['deployments/web'], ['pods/*'], ['-l', 'app=web']] as const;
/** More requests than a view that ends makes, and the request after which the test ends an endless view. */
const MAX_REQUESTS = 400;
const ENOUGH_REQUESTS = 25;

const NO_FILES = {
  readSmallFile: () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' })),
} as never;

/** What the cluster reports of the pod: its state, its run, and hostile texts. */
interface Reported {
  readonly state: 'waiting' | 'running' | 'terminated';
  readonly run: number;
  readonly reason: string;
}
const AT_REST: readonly Reported[] = [0, 3].map((run) => ({ state: 'terminated', run, reason: 'Completed' }));
const VERSION = '777000';

const json = (value: unknown) => JSON.stringify(value);
const ok = (value: object) => httpAnswer(200, json(value), '', true);
const ownedBy = (kind: string, uid: string) => [
  { apiVersion: 'apps/v1', kind, name: 'web', uid, controller: true },
];
const meta = (uid: string, more: object = {}) => ({
  metadata: { name: 'web', namespace: 'shop', uid, resourceVersion: '7', labels: { app: 'web' }, ...more },
});

function podOf({ state, run, reason }: Reported) {
  const at = '2026-11-21T09:00:00Z';
  const ended = (id: number) => ({ containerID: `c://${id}`, exitCode: 0, reason: reason, finishedAt: at });
  const states = {
    waiting: { waiting: { reason: reason, message: reason } },
    running: { running: { startedAt: at } },
    terminated: { terminated: ended(run) },
  };
  const container = {
    name: 'app',
    containerID: `c://${run}`,
    restartCount: run,
    state: states[state],
    lastState: run === 0 ? {} : { terminated: ended(run - 1) },
  };
  return {
    ...meta('pod', { ownerReferences: ownedBy('ReplicaSet', 'set') }),
    spec: { nodeName: reason, restartPolicy: 'Never', containers: [{ name: 'app' }] },
    status: {
      phase: state === 'terminated' ? 'Succeeded' : 'Running',
      containerStatuses: [container],
    },
  };
}

function logOf({ run, reason }: Reported, from: number): string {
  const line = (at: number) => `2026-11-21T09:0${run}:0${at}.5Z {"level":"info"} ${reason}\n`;
  return Array.from({ length: 6 - from }, (_, at) => line(from + at)).join('');
}

const event = (type: string, object: object) => `${json({ type, object })}\n`;
const EXPIRED = event('ERROR', { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' });

/** Returns watch events of a pod. */
function eventsOf(reported: Reported): string {
  const other = {
    ...podOf(reported),
    metadata: { ...podOf(reported).metadata, name: 'web-2', uid: reported.reason },
  };
  const bookmark = event('BOOKMARK', { metadata: { resourceVersion: '9' } });
  const happened = event('MODIFIED', podOf({ ...reported, run: reported.run + 1 })) + bookmark;
  return { waiting: event('ADDED', other), running: happened, terminated: event('DELETED', podOf(reported)) }[
    reported.state
  ];
}

const isAtRest = (reported: Reported) => AT_REST.includes(reported);

function logAnswer(query: URLSearchParams, reported: Reported): Buffer {
  const text = logOf(reported, query.has('tailLines') ? 4 : 0);
  return httpAnswer(200, query.get('timestamps') === 'true' ? text : text.slice(23), '', true);
}

/** Returns the answer to a watch; a cluster at rest has dropped every version except its own. */
function watchAnswer({ pathname, searchParams }: URL, reported: Reported): Buffer {
  const isCurrent = searchParams.get('resourceVersion') === VERSION;
  if (isAtRest(reported)) return httpAnswer(200, isCurrent ? '' : EXPIRED, '', true);
  return httpAnswer(200, pathname.endsWith('/pods') ? eventsOf(reported) : EXPIRED, '', true);
}

/** Returns what there is to read, by the ends of its paths. */
function objectsOf(reported: Reported): Readonly<Record<string, () => object>> {
  const list = (...items: object[]) => ({
    kind: 'List',
    metadata: { resourceVersion: isAtRest(reported) ? VERSION : '9' },
    items,
  });
  return {
    '/pods': () => list(podOf(reported)),
    '/pods/web': () => podOf(reported),
    '/replicasets': () => list(meta('set', { ownerReferences: ownedBy('Deployment', 'd') })),
    '/deployments': () => list(meta('d')),
    '/deployments/web': () => meta('d'),
    '/nodes': () => list(),
  };
}

function answerTo(line: string, reported: Reported): Buffer {
  const url = new URL(line.split(' ')[1] ?? '', 'http://cluster.invalid');
  if (url.pathname.endsWith('/log')) return logAnswer(url.searchParams, reported);
  if (url.searchParams.has('watch')) return watchAnswer(url, reported);
  if (url.searchParams.has('continue')) return httpAnswer(410, json({ kind: 'Status', code: 410 }));
  const [, read] = Object.entries(objectsOf(reported)).find(([end]) => url.pathname.endsWith(end)) ?? [];
  if (read !== undefined) return ok(read());
  return httpAnswer(404, json({ kind: 'Status', code: 404, message: reported.reason }));
}

const reported = fc.record({
  state: fc.constantFrom<Reported['state']>('running', 'running', 'waiting', 'terminated'),
  run: fc.nat({ max: 2 }),
  reason: hostileText,
});
const harm = fc.record({
  reported,
  how: damage,
  reset: fc.boolean(),
  chunkBytes: fc.constantFrom(1, 9, 100, 65_536),
});
const scene = fc.record({
  flags: fc.constantFrom(...FLAGS),
  source: fc.constantFrom(...ENDING, ...ENDING, ...ENDING, ...ENDLESS),
  /** Affects the first requests, in order; after them the cluster is at rest. */
  harms: fc.array(harm, { maxLength: 8 }),
  /** The first of them are undamaged, so that there is something to follow. */
  spared: fc.nat({ max: 4 }),
  rest: fc.constantFrom(...AT_REST),
  stopAt: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.integer({ min: 1, max: 20 })),
});

type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

const isEnding = (source: Scene['source']) => ENDING.some((one) => one === source);

/** Returns the exit code of a command, which writes its failure as logtool does. */
async function codeOf({ context, controller }: Capture, running: Promise<number>): Promise<number> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof CodedError) {
      const shown = withMessage(error);
      await context.stderr.write(errorText(shown));
      return exitCodeOf(shown);
    }
    if (controller.signal.aborted && error === controller.signal.reason) return EXIT.interrupted;
    throw error;
  }
}

/** Follows the cluster of a scene until the command ends, or the scene stops it. */
async function play({ flags, source, harms, spared, rest, stopAt }: Scene) {
  let asked = 0;
  const { client, clock } = bytesClient((line) => {
    const at = asked++;
    const isStopped = asked === stopAt || (!isEnding(source) && asked === ENOUGH_REQUESTS);
    if (isStopped || asked > MAX_REQUESTS)
      setImmediate(() => world.controller.abort(new Stop(EXIT.interrupted, 'interrupted')));
    const { reported = rest, how, reset = false, chunkBytes = 4096 } = harms[at] ?? {};
    const whole = answerTo(line, reported);
    return { bytes: how === undefined || at < spared ? whole : damaged(whole, how), reset, chunkBytes };
  });
  const world = capture([], { terminal: true, overrides: { clock, files: NO_FILES } });
  const resolve: Resolve = (from, plan, options) =>
    resolveSources(from, plan, { ...options, clock } as never);
  const raw = parseCommandLine(['logs', ...source, '-n', 'shop', '--follow', ...flags]);
  const services = { connect: async () => client, resolve, read: readLogs, scan: scanLogs };
  const code = await codeOf(world, settle(clock, logs(world.context, raw, services)));
  return { world, client, clock, code, asked };
}

test(
  `whatever a followed cluster says, the view comes to its end, and a terminal gets text and color (${FUZZED})`,
  async () => {
    const codes = new Map<number, number>();
    let written = 0;
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    await fc.assert(
      fc.asyncProperty(scene, async (one) => {
        const { flags, source, harms, stopAt } = one;
        const { world, client, clock, code, asked } = await play(one);
        codes.set(code, (codes.get(code) ?? 0) + 1);
        written += world.stdout().length;
        expect(asked).toBeLessThan(MAX_REQUESTS);
        if (isEnding(source) && stopAt === undefined) expect(code).not.toBe(EXIT.interrupted);
        expectEscaped(world.stdout(), { flags, source, harms });
        expectEscaped(world.stderr(), { flags, source, harms });
        expect(world.stderr()).not.toMatch(/TypeError|is not a function|Cannot read prop|unexpected/);
        // Nothing continues after the end.
        client.close();
        await runDown(clock);
        expect(unhandled).toEqual([]);
      }),
      FUZZ,
    );
    process.off('unhandledRejection', onUnhandled);
    for (const code of [EXIT.done, EXIT.failure, EXIT.interrupted])
      expect(codes.get(code) ?? 0).toBeGreaterThan(FUZZ.numRuns / 50);
    expect(written).toBeGreaterThan(FUZZ.numRuns * 20);
    expectCleanPrototypes('followed clusters');
  },
  HANG_MS,
);
