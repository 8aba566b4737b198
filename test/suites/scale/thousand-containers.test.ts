import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { Stop } from '@logtool/logtool/src/cli/exit-codes.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { OpenLogs } from '../../support/dashboard/open-logs.ts';
import { patientClock } from '../../support/patient-clock.ts';
import { printedLines, startBigCluster, WEB_LINES, WEB_REPLICAS, writtenLines } from './big-cluster.ts';

const AT_ONCE = 100;

let cluster: SimCluster;
let folder: string;
let written: readonly string[];
let openLogs: OpenLogs;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scale-'));
  cluster = await startBigCluster();
  written = await writtenLines(cluster, 'team-1_web-');
  vi.stubEnv('TMPDIR', folder);
  openLogs = new OpenLogs();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  openLogs?.close();
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => openLogs.reset());

function world(clock: Clock, ...argv: string[]) {
  const given = ['logs', 'deployments/web', '-o', 'json', '--kubeconfig', cluster.kubeconfig, ...argv];
  return capture(given, { overrides: { clock } });
}

async function logs(...argv: string[]) {
  // A request that replaces a canceled one waits, up to a limit, until the server has noticed that.
  const { context, stdout, stderr } = world(patientClock(), ...argv);
  const code = await run(context);
  return { code, lines: printedLines(stdout()), stderr: stderr() };
}

const inTurns = `reading ${AT_ONCE} of ${WEB_REPLICAS} containers at a time, in turns; --max-log-requests=${WEB_REPLICAS} reads all at once\n`;

test('all of a thousand containers comes once and in order, a hundred read at once', async () => {
  expect(written).toHaveLength(WEB_REPLICAS * WEB_LINES);
  const { code, lines, stderr } = await logs('--all');
  expect({ code, stderr }).toEqual({ code: 0, stderr: inTurns });
  expect(lines).toEqual(written);
  expect(openLogs.most).toBeLessThanOrEqual(AT_ONCE);
  expect(await readdir(folder)).toEqual([]);
});

test('the last of a thousand containers are the last of all, a hundred read at once', async () => {
  const { code, lines, stderr } = await logs('--tail=1234');
  expect({ code, stderr }).toEqual({ code: 0, stderr: inTurns });
  expect(lines).toEqual(written.slice(-1234));
  expect(openLogs.most).toBeLessThanOrEqual(AT_ONCE);
});

test.each([
  ['forward', '--head', [700, 2_500], /Next page: (--after) (\S+)/],
  ['backward', '--tail', [2_500, 700], /Prev page: (--before) (\S+)/],
] as const)(
  'pages %s show every record of a thousand containers once, also where one ends amid records of one time',
  async (_, mode, counts, link) => {
    const pages: string[][] = [];
    let from: readonly string[] = [];
    for (const count of counts) {
      const { code, lines, stderr } = await logs(`${mode}=${count}`, '--with-cursors', ...from);
      expect(code).toBe(0);
      pages.push(lines);
      const [, flag, cursor] = link.exec(stderr) ?? [];
      from = flag === undefined || cursor === undefined ? [] : [flag, cursor];
      // The last page has no cursor.
      expect(from.length === 0).toBe(pages.length === counts.length);
    }
    expect((mode === '--tail' ? pages.reverse() : pages).flat()).toEqual(written);
    expect(openLogs.most).toBeLessThanOrEqual(AT_ONCE);
    expect(await readdir(folder)).toEqual([]);
  },
);

test('new lines of a thousand containers come once, including those that wait for their turn', async () => {
  const atOnce = 250;
  const {
    context,
    stdout,
    stderr,
    controller,
    written: shown,
  } = world(systemClock, '--follow', '--tail=0', `--max-log-requests=${atOnce}`);
  const ended = run(context);
  const following = `following ${atOnce} of ${WEB_REPLICAS} containers at a time, in turns; --max-log-requests=${WEB_REPLICAS} follows all at once\n`;
  await vi.waitFor(() => expect(stderr()).toContain(following), { timeout: 60_000 });
  const fresh = { namespace: 'team-1', workload: 'deployments/web' };
  const pods = await cluster.control.writeLines({ ...fresh, text: 'live {n}', count: 2 });
  expect(pods).toHaveLength(WEB_REPLICAS);
  for (const { pod } of pods) await shown(`"pod":"${pod}"`);
  // A stream may repeat records together with later ones, so the test waits for a last line in each.
  await cluster.control.writeLines({ ...fresh, text: 'end' });
  await vi.waitFor(() => expect(stdout().match(/"message":"end"/g)).toHaveLength(WEB_REPLICAS), {
    timeout: 100_000,
    interval: 500,
  });
  controller.abort(new Stop(130, 'interrupted'));
  expect(await ended).toBe(130);
  const inPod = (lines: readonly string[]) =>
    lines.map((line) => line.split(' ')).sort(([, a = ''], [, b = '']) => (a < b ? -1 : a > b ? 1 : 0));
  const after = await writtenLines(cluster, 'team-1_web-');
  expect(inPod(printedLines(stdout()))).toEqual(inPod(after.filter((line) => /(live \d|end)$/.test(line))));
  expect(openLogs.most).toBe(atOnce);
  expect(await readdir(folder)).toEqual([]);
});
