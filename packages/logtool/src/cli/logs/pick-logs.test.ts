import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CaptureOptions, capture } from '../../../../../test/support/cli/capture.ts';
import { end, fakeServices, record, records, target } from '../../../../../test/support/cli/fake-services.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { rejectingWithMessage } from '../../../../../test/support/with-message.ts';
import { logs } from '../commands/logs.ts';
import { EXIT } from '../exit-codes.ts';
import { parseCommandLine } from '../flags/find-command.ts';
import type { LogsServices } from '../logs/logs-services.ts';

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
  client = await simClient(cluster);
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

/**
 * Runs `logtool logs ARGUMENTS` at a terminal with the test's keyboard. Requests to the cluster wait for
 * `hold`.
 */
function atTerminal(
  argv: readonly string[],
  options: CaptureOptions = {},
  hold: { readonly connect?: Promise<unknown>; readonly list?: Promise<unknown> } = {},
) {
  const input = new PassThrough();
  const world = capture(['logs', ...argv], {
    terminal: true,
    env: { NO_COLOR: '1' },
    ...options,
    overrides: { keyboard: () => ({ input, rows: () => 24 }), ...options.overrides },
  });
  const web = target('web-1');
  const { services } = fakeServices(
    [
      { type: 'added', target: web },
      { type: 'synced', open: false },
    ],
    [records(record(web, '2026-11-21T10:00:00Z', 'hello')), end()],
  );
  const asked: (readonly string[])[] = [];
  let connections = 0;
  let lists = 0;
  const used: LogsServices = {
    ...services,
    connect: async () => {
      connections++;
      await hold.connect;
      const list: KubeClient['list'] = async function* (...query) {
        lists++;
        await hold.list;
        yield* client.list(...query);
      };
      return { ...client, cluster: client.cluster, list, close: () => {} };
    },
    resolve: (on, plan, more) => {
      asked.push(plan.sources);
      return services.resolve(on, plan, more);
    },
  };
  const code = logs(world.context, parseCommandLine(['logs', ...argv]), used);
  const shown = async (text: string) => {
    while (!world.stderr().includes(text)) await setImmediate();
  };
  return { world, input, code, asked, shown, connections: () => connections, lists: () => lists };
}

test('without a source on a terminal the picker asks, and opens what is picked over one connection', async () => {
  const { world, input, code, asked, shown, connections } = atTerminal(['--namespace=shop', '--tail=5']);
  await shown('deployments/web');
  input.write('statefulsets\r');
  expect(await code).toBe(EXIT.done);
  expect(asked).toEqual([['statefulsets/db']]);
  expect(world.stderr()).toContain('logtool logs --namespace=shop --tail=5 statefulsets/db\n');
  expect(world.stdout()).toContain('hello');
  expect(connections()).toBe(1);
});

test('Ctrl-C in the picker ends the command with 130 and opens nothing', async () => {
  const { input, code, asked, shown, world } = atTerminal(['-n', 'shop']);
  await shown('deployments/web');
  input.write('\x03');
  expect(await code).toBe(EXIT.interrupted);
  expect(asked).toEqual([]);
  expect(world.stdout()).toBe('');
});

test('a terminal shows what the picker waits for, until the picker appears', async () => {
  const clock = new FakeClock();
  const answer = new EventEmitter();
  const { input, code, shown, world, connections, lists } = atTerminal(
    ['-n', 'shop'],
    { overrides: { clock } },
    { connect: once(answer, 'connect'), list: once(answer, 'list') },
  );
  while (connections() === 0) await setImmediate();
  await clock.advance(1500);
  expect(world.stderr()).toBe('\r\x1b[2Kconnecting to the cluster');
  answer.emit('connect');
  while (lists() === 0) await setImmediate();
  await clock.advance(1500);
  expect(world.stderr()).toMatch(/\r\x1b\[2Klisting workloads and pods$/);
  answer.emit('list');
  await shown('deployments/web');
  expect(world.stderr()).toContain('listing workloads and pods\r\x1b[2K\x1b[?25lOpen logs of: ');
  expect(clock.pending).toBe(0);
  input.write('\x03');
  expect(await code).toBe(EXIT.interrupted);
});

test('a namespace without workloads and pods is an error that says so', async () => {
  const { code } = atTerminal(['-n', 'empty']);
  await expect(rejectingWithMessage(code)).rejects.toMatchObject({
    code: 'nothing-to-pick',
    what: 'found no workloads and no pods in namespace empty',
  });
});

test.each<[string, CaptureOptions]>([
  ['in a pipe', { terminal: false }],
  ['without a keyboard', { overrides: { keyboard: undefined } }],
  ['on a terminal that cannot redraw', { env: { TERM: 'dumb' } }],
])('%s a missing source is an error', async (_, options) => {
  const { code, connections } = atTerminal([], options);
  await expect(code).rejects.toMatchObject({ code: 'no-source', exit: 'usage' });
  expect(connections()).toBe(0);
});
