import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
import { capture } from '../testing/capture.ts';
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

/** Returns a cluster's answer to a request; a cluster at rest has dropped every version except its own. */
function answerTo(line: string, reported: Reported): Buffer {
  const { pathname, searchParams } = new URL(line.split(' ')[1] ?? '', 'http://cluster.invalid');
  const isAtRest = AT_REST.includes(reported);
  const list = (...items: object[]) =>
    ok({ kind: 'List', metadata: { resourceVersion: isAtRest ? VERSION : '9' }, items });
  if (pathname.endsWith('/log')) {
    const text = logOf(reported, searchParams.has('tailLines') ? 4 : 0);
    return httpAnswer(200, searchParams.get('timestamps') === 'true' ? text : text.slice(23), '', true);
  }
  if (searchParams.has('watch')) {
    const isCurrent = searchParams.get('resourceVersion') === VERSION;
    if (isAtRest) return httpAnswer(200, isCurrent ? '' : EXPIRED, '', true);
    return httpAnswer(200, pathname.endsWith('/pods') ? eventsOf(reported) : EXPIRED, '', true);
  }
  if (searchParams.has('continue')) return httpAnswer(410, json({ kind: 'Status', code: 410 }));
  if (pathname.endsWith('/pods')) return list(podOf(reported));
  if (pathname.endsWith('/pods/web')) return ok(podOf(reported));
  if (pathname.endsWith('/replicasets'))
    return list(meta('set', { ownerReferences: ownedBy('Deployment', 'd') }));
  if (pathname.endsWith('/deployments')) return list(meta('d'));
  if (pathname.endsWith('/deployments/web')) return ok(meta('d'));
  if (pathname.endsWith('/nodes')) return list();
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

test(
  `whatever a followed cluster says, the view comes to its end, and a terminal gets text and color (${FUZZED})`,
  async () => {
    const codes = new Map<number, number>();
    let written = 0;
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    await fc.assert(
      fc.asyncProperty(scene, async ({ flags, source, harms, spared, rest, stopAt }) => {
        const ends = ENDING.some((one) => one === source);
        let asked = 0;
        const { client, clock } = bytesClient((line) => {
          const at = asked++;
          const isStopped = asked === stopAt || (!ends && asked === ENOUGH_REQUESTS);
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
        let code: number;
        try {
          code = await settle(
            clock,
            logs(world.context, raw, {
              connect: async () => client,
              resolve,
              read: readLogs,
              scan: scanLogs,
            }),
          );
        } catch (error) {
          if (error instanceof CodedError) {
            const shown = withMessage(error);
            code = exitCodeOf(shown);
            await world.context.stderr.write(errorText(shown));
          } else if (world.controller.signal.aborted && error === world.controller.signal.reason)
            code = EXIT.interrupted;
          else throw error;
        }
        codes.set(code, (codes.get(code) ?? 0) + 1);
        written += world.stdout().length;
        expect(asked).toBeLessThan(MAX_REQUESTS);
        if (ends && stopAt === undefined) expect(code).not.toBe(EXIT.interrupted);
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
