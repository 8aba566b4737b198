import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { httpAnswer } from '../../../../../test/support/fuzz/bytes-agent.ts';
import { bytesClient, settle } from '../../../../../test/support/fuzz/bytes-client.ts';
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
import { exitCodeOf } from '../exit-codes.ts';
import { parseCommandLine } from '../flags/find-command.ts';
import { errorText } from './error-text.ts';

const FLAGS = [
  [],
  ['--all'],
  ['--raw'],
  ['--raw', '--all', '--color=never'],
  ['--output=json', '--all'],
  ['--columns=pod,node,zone,namespace,container', '--color=always'],
  ['--all', '--color=never'],
  ['--tail=3', '--with-cursors'],
  ['--head=2', '--with-cursors', '--previous=no'],
  ['--previous'],
  ['--grep=a|\\[', '--force'],
  ['--highlight=[a-z]+', '--color=always', '--level=error,info,unknown'],
] as const;
const SOURCES = [['web'], ['deployments/web'], ['-l', 'app=web'], ['pods/*/*'], ['widgets/web']] as const;

/** No configuration file, without reading a disk. */
const NO_FILES = {
  readSmallFile: () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' })),
} as never;

/** Short, because the status line is redrawn three times a second. */
const STEP_MS = 3_000;

/** Hostile texts of a cluster: its own names and messages, and what its programs write. */
interface HostileTexts {
  readonly name: string;
  readonly node: string;
  readonly reason: string;
  readonly line: string;
}

const owner = (kind: string, uid: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'web', uid, controller: true }],
});
const meta = (name: string, uid: string, more: object = {}) => ({
  metadata: { name, namespace: 'shop', uid, resourceVersion: '7', labels: { app: 'web' }, ...more },
});

function podOf({ name, node, reason }: HostileTexts, state: string) {
  const at = '2026-11-21T09:00:00Z';
  const states = {
    running: { running: { startedAt: at } },
    terminated: { terminated: { containerID: 'c://1', exitCode: 1, reason, finishedAt: at } },
    waiting: { waiting: { reason, message: reason } },
  };
  return {
    ...meta('web', 'pod', owner('ReplicaSet', 'set')),
    spec: { nodeName: node, containers: [{ name: 'app' }, { name }] },
    status: {
      phase: 'Running',
      containerStatuses: ['app', name].map((each) => ({
        name: each,
        containerID: 'c://1',
        restartCount: 1,
        state: states[state as 'waiting'],
        lastState: { terminated: { containerID: 'c://0', exitCode: 1, reason } },
      })),
    },
  };
}

/** Returns the undamaged answer to a request. */
function answerTo(line: string, hostile: HostileTexts, state: string): Buffer {
  const [, path = '', query = ''] = /^GET ([^? ]*)\??([^ ]*)/.exec(line) ?? [];
  const ok = (value: object) => httpAnswer(200, JSON.stringify(value), '', true);
  const list = (...items: object[]) => ok({ kind: 'List', metadata: { resourceVersion: '9' }, items });
  if (path.endsWith('/log')) {
    const texts = Array.from(
      { length: 4 },
      (_, at) => `2026-11-21T09:00:0${at}.5Z {"level":"info"} ${hostile.line}\n`,
    );
    const all = query.includes('timestamps=true') ? texts : texts.map((text) => text.slice(23));
    return httpAnswer(200, all.join(''), '', true);
  }
  if (query.includes('watch=true')) return httpAnswer(200, '', '', true);
  if (path.endsWith('/pods')) return list(podOf(hostile, state));
  if (path.endsWith('/pods/web')) return ok(podOf(hostile, state));
  if (path.endsWith('/replicasets')) return list(meta('web', 'set', owner('Deployment', 'dep')));
  if (path.endsWith('/deployments')) return list(meta('web', 'dep'));
  if (path.endsWith('/deployments/web')) return ok(meta('web', 'dep'));
  if (path.includes('/nodes')) return path.endsWith('nodes') ? list() : ok(meta(hostile.node, 'node'));
  if (path === '/apis')
    return ok({
      kind: 'APIGroupDiscoveryList',
      items: [{ metadata: { name: hostile.name }, versions: [{ version: hostile.reason, resources: [] }] }],
    });
  return httpAnswer(
    404,
    JSON.stringify({ kind: 'Status', code: 404, message: hostile.reason, details: { name: hostile.name } }),
  );
}

const hostile = fc.record({ name: hostileText, node: hostileText, reason: hostileText, line: hostileText });

test(
  `whatever a cluster says, a terminal gets nothing but text and color (${FUZZED})`,
  async () => {
    const codes = new Map<number, number>();
    let written = 0;
    const scene = fc.record({
      flags: fc.constantFrom(...FLAGS),
      source: fc.constantFrom(...SOURCES),
      state: fc.constantFrom('running', 'terminated', 'terminated', 'waiting'),
      harmed: fc.nat({ max: 12 }),
      how: damage,
      again: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(scene, hostile, async ({ flags, source, state, harmed, how, again }, reported) => {
        let asked = 0;
        const { client, clock } = bytesClient((line) => {
          const whole = answerTo(line, reported, state);
          const isHarmed = again ? asked++ >= harmed : asked++ === harmed;
          return { bytes: isHarmed ? damaged(whole, how) : whole, reset: false, chunkBytes: 4096 };
        });
        const world = capture([], { terminal: true, overrides: { clock, files: NO_FILES } });
        const resolve: Resolve = (from, plan, options) =>
          resolveSources(from, plan, { ...options, clock } as never);
        const raw = parseCommandLine(['logs', ...source, '-n', 'shop', ...flags]);
        const services = { connect: async () => client, resolve, read: readLogs, scan: scanLogs };
        let code: number;
        try {
          code = await settle(clock, logs(world.context, raw, services), STEP_MS);
        } catch (failure) {
          const error = withMessage(failure);
          code = exitCodeOf(error);
          await world.context.stderr.write(errorText(error));
        }
        codes.set(code, (codes.get(code) ?? 0) + 1);
        written += world.stdout().length;
        expectEscaped(world.stdout(), { flags, source, state, reported });
        expectEscaped(world.stderr(), { flags, source, state, reported });
        expect(world.stderr()).not.toMatch(/TypeError|is not a function|Cannot read prop|unexpected/);
      }),
      FUZZ,
    );
    expect(codes.get(0) ?? 0).toBeGreaterThan(FUZZ.numRuns / 4);
    expect(codes.get(1) ?? 0).toBeGreaterThan(FUZZ.numRuns / 20);
    expect(written).toBeGreaterThan(FUZZ.numRuns * 20);
    expectCleanPrototypes('clusters');
  },
  HANG_MS,
);
