import { existsSync } from 'node:fs';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { type CaptureOptions, capture } from '../../../../../test/support/cli/capture.ts';
import { Stop } from '../exit-codes.ts';
import { run } from '../run.ts';

const SCENARIO = 'scenarios/minimal.yaml';
const world = (...argv: string[]) => worldOf({}, ...argv);
const worldOf = (options: CaptureOptions, ...argv: string[]) =>
  capture(['demo', `--scenario=${SCENARIO}`, ...argv], {
    ...options,
    overrides: { clock: systemClock, workingDirectory: process.cwd() },
  });
const kubeconfigOf = (stderr: string) => /Its kubeconfig: (\S+)/.exec(stderr)?.[1] ?? '';

test('--no-follow shows the last records of all deployments and takes the cluster away', async () => {
  const { context, stdout, stderr } = world('--no-follow');
  expect(await run(context)).toBe(0);
  expect(stdout()).toMatch(/^TIMESTAMP +POD +MESSAGE\n/);
  expect(stdout()).toContain('GET /checkout 500\n');
  expect(stderr()).toMatch(/^ {2}node \S+[\\/]bin[\\/]logtool\.js logs '\*:deployments\/\*'/m);
  expect(existsSync(kubeconfigOf(stderr()))).toBe(false);
});

test('settings that are about another cluster do not lead it astray', async () => {
  const { context, stdout, stderr } = world('--no-follow');
  const env = { LOGTOOL_KUBE_CONTEXT: 'prod', LOGTOOL_IN_CLUSTER: '1', LOGTOOL_PREVIOUS: 'only' };
  expect([await run({ ...context, env }), stderr()]).toEqual([0, expect.not.stringContaining('error:')]);
  expect(stdout()).toContain('GET /checkout 500\n');
});

test('it serves the dashboard on the simulated cluster until it is interrupted', async () => {
  const { context, stdout, stderr, written, controller } = world('--port=0');
  const ended = run(context);
  await written('logtool dashboard: ');
  expect(existsSync(kubeconfigOf(stderr()))).toBe(true);
  expect(stderr()).toMatch(/^ {2}node \S+[\\/]bin[\\/]logtool\.js logs '\*:deployments\/\*'/m);
  expect(stderr()).toContain('note: logtool did not open a browser: there is no display\n');
  const url = /dashboard: (\S+)/.exec(stdout())?.[1] ?? '';
  const contexts = await (await fetch(`${url}api/v1/contexts?check=admin`)).json();
  expect(contexts).toMatchObject({
    contexts: expect.arrayContaining([
      expect.objectContaining({ isCurrent: true, reachability: expect.any(String) }),
    ]),
  });
  controller.abort(new Stop(130, 'interrupted'));
  expect(await ended).toBe(130);
  expect(existsSync(kubeconfigOf(stderr()))).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
});

test('--no-browser says where everything is, and tries nothing', async () => {
  const { context, stderr, written, controller } = world('--port=0', '--no-browser');
  const ended = run(context);
  await written('logtool dashboard: ');
  expect(stderr()).not.toContain('note:');
  expect(stderr()).toMatch(/^A simulated cluster is running\..*Ctrl-C ends it\.\n\n$/s);
  controller.abort(new Stop(130, 'interrupted'));
  expect(await ended).toBe(130);
});

test('a terminal shows what it waits for, until that is ready', async () => {
  const { context, stderr, written, controller } = worldOf({ terminal: true }, '--port=0', '--no-browser');
  const ended = run(context);
  await written('logtool dashboard: ');
  const erase = '\r\x1b[2K';
  const shown = stderr().split(erase);
  expect(shown).toEqual([
    '',
    'starting the demo cluster',
    expect.stringMatching(/^A simulated cluster is running\..*Ctrl-C ends it\.\n\n$/s),
    'starting the dashboard',
    '',
  ]);
  controller.abort(new Stop(130, 'interrupted'));
  expect(await ended).toBe(130);
});
