import type { LogQuery } from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { capture } from '../../../../../../test/support/cli/capture.ts';
import { end, record, records, target } from '../../../../../../test/support/cli/fake-services.ts';
import { fakeClient } from '../../../../../../test/support/fake-client.ts';
import type { ResolveEvent } from '../../../domain/resolve-event.ts';
import { scanLogs } from '../../../stream/scan/scan-logs.ts';
import { logs } from '../../commands/logs.ts';
import { parseCommandLine } from '../../flags/find-command.ts';
import type { LogsServices } from '../../logs/logs-services.ts';
import { bytesText } from './log-progress.ts';

const POLLS = 1500;
const web = ['web-0', 'web-1', 'web-2'].map((pod) => target(pod));

/** Something that waits until it is opened. */
function gate() {
  let open: () => void = () => undefined;
  let isOpen = false;
  const opened = new Promise<void>((resolve) => {
    open = () => {
      isOpen = true;
      resolve();
    };
  });
  return { open: () => open(), opened, isOpen: () => isOpen };
}

/** Returns a gate for each step of a command. */
function closedGates() {
  return {
    asked: gate(),
    connected: gate(),
    inspected: gate(),
    resolved: gate(),
    written: gate(),
    more: gate(),
    writtenMore: gate(),
    finished: gate(),
    answers: new Map(web.map(({ pod }) => [pod, gate()])),
    bodies: new Map(web.map(({ pod }) => [pod, gate()])),
  };
}

/** Creates a cluster in which every step waits until the test opens its gate. */
function slowCluster(gates: ReturnType<typeof closedGates>): LogsServices {
  const { asked, connected, inspected, resolved, written, more, writtenMore, finished } = gates;
  const log = async ({ pod }: LogQuery) => ({
    status: 200 as const,
    body: (async function* () {
      await gates.answers.get(pod)?.opened;
      yield Buffer.alloc(1_250_000, 'x');
      await gates.bodies.get(pod)?.opened;
    })(),
  });
  return {
    connect: async () => {
      asked.open();
      await connected.opened;
      return fakeClient({ log }, { namespace: 'shop' });
    },
    resolve: async function* () {
      inspected.open();
      await resolved.opened;
      for (const each of web) yield { type: 'added', target: each } satisfies ResolveEvent;
      yield { type: 'synced', open: true };
    },
    scan: scanLogs,
    read: async function* ({ client }, sources) {
      for await (const _ of sources);
      await Promise.all(
        web.map(async ({ namespace, pod, container }) => {
          const { body } = await client.log({ namespace, pod, container });
          for await (const _ of body);
        }),
      );
      yield records(record(web[0]!, '2026-11-21T10:00:00Z', 'GET /'));
      written.open();
      await Promise.race([more.opened, finished.opened]);
      if (more.isOpen()) yield records(record(web[0]!, '2026-11-21T10:00:01Z', 'GET /'));
      writtenMore.open();
      await finished.opened;
      yield end();
    },
  };
}

function watched(argv: readonly string[], isFile: boolean) {
  const clock = new FakeClock();
  const world = capture([], { terminal: true, env: { TERM: 'xterm' }, overrides: { clock } });
  const stdout = { ...world.context.stdout, isTTY: !isFile, columns: isFile ? undefined : 100 };
  const gates = closedGates();
  const ended = logs({ ...world.context, stdout }, parseCommandLine(['logs', ...argv]), slowCluster(gates));
  let read = 0;
  const next = async () => {
    await clock.advance(POLLS);
    const text = world.stderr().slice(read).replaceAll('\r\x1b[2K', '|');
    read = world.stderr().length;
    return text;
  };
  return { ...gates, next, ended, clock };
}

test('shows each stage of a waiting command on a terminal, until the first record', async () => {
  const { next, ended, asked, connected, inspected, resolved, answers, bodies, written, finished, clock } =
    watched(['deployments/web', 'db-0', '--columns='], false);
  await asked.opened;
  expect(await next()).toBe('|connecting to the cluster');
  connected.open();
  // The code of the next stages is loaded before it continues.
  await inspected.opened;
  expect(await next()).toBe('|looking up deployments/web and 1 more');
  resolved.open();
  expect(await next()).toBe('|waiting for 3 of 3 containers (web-0, ...)');
  answers.get('web-0')?.open();
  answers.get('web-2')?.open();
  expect(await next()).toBe('|waiting for 1 of 3 containers (web-1)');
  answers.get('web-1')?.open();
  expect(await next()).toBe('|reading 3 containers: 3.8 MB so far');
  for (const { open } of bodies.values()) open();
  await written.opened;
  // The record is on the terminal: the status line reappears below it.
  expect(await next()).toBe('||reading 3 containers: 3.8 MB so far');
  finished.open();
  expect(await ended).toBe(0);
  expect(await next()).toBe('|');
  expect(clock.pending).toBe(0);
});

test('what went to a file is counted', async () => {
  const { next, ended, connected, resolved, answers, bodies, written, finished } = watched(['web'], true);
  connected.open();
  resolved.open();
  for (const { open } of [...answers.values(), ...bodies.values()]) open();
  await written.opened;
  expect(await next()).toBe('|1 line, 38 B written');
  finished.open();
  await ended;
});

test('the count stays in sight while more is written to the file', async () => {
  const { next, ended, connected, resolved, answers, bodies, written, more, writtenMore, finished } = watched(
    ['web'],
    true,
  );
  connected.open();
  resolved.open();
  for (const { open } of [...answers.values(), ...bodies.values()]) open();
  await written.opened;
  expect(await next()).toBe('|1 line, 38 B written');
  more.open();
  await writtenMore.opened;
  // Overwritten without disappearing in between.
  expect(await next()).toBe('|2 lines, 76 B written');
  finished.open();
  await ended;
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [45_200_000, '45.2 MB'],
  [3_210_000_000, '3.2 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
