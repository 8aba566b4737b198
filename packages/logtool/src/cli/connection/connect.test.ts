import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { startEchoServer } from '../../../../../test/support/connection/echo-server.ts';
import { folder, worldOf } from '../../../../../test/support/connection/kubeconfig-folder.ts';
import { Stop } from '../exit-codes.ts';
import { run } from '../run.ts';

test("a credential plugin's output goes to standard error, in order with the rest of it", async () => {
  const directory = await folder();
  const plugin = join(directory, 'plugin');
  await writeFile(plugin, '#!/bin/sh\necho "log in there" >&2\nexec sleep 300\n');
  await chmod(plugin, 0o755);
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: plugin,
    interactiveMode: 'Never',
  };
  const { file } = await worldOf({ server: 'https://127.0.0.1:1' }, { exec }, { directory });
  const clock = new FakeClock();
  const { context, stderr, controller } = capture(['logs', 'web'], {
    env: { KUBECONFIG: file, PATH: process.env.PATH ?? '' },
    overrides: { clock },
  });
  const ended = run(context);
  await vi.waitUntil(() => clock.pending > 0, { timeout: 60_000 });
  await clock.advance(2000);
  await vi.waitUntil(() => stderr().includes('log in there\n'), { timeout: 60_000 });
  controller.abort(new Stop(130, 'interrupted'));
  expect(await ended).toBe(130);
});

test('a number as the name of a context, as of records around a match, is answered by -C', async () => {
  const { file } = await worldOf({ server: 'https://127.0.0.1:1' }, {}, { directory: await folder() });
  const { context, stderr } = capture(['logs', 'web', '--context=3'], { env: { KUBECONFIG: file } });
  expect(await run(context)).toBe(2);
  expect(stderr()).toContain('next: for 3 records before and after each match: -C 3; choose one of them');
});

test('a token of the command line is sent, and shown neither by --debug nor by an error', async () => {
  const server = await startEchoServer({ tls: false });
  onTestFinished(() => server.close());
  const { file } = await worldOf(
    { server: server.url },
    { token: 'of-the-file' },
    { directory: await folder() },
  );
  const argv = ['logs', 'web', '--debug', '--token=opaque-secret', '--as=ann'];
  const { context, stderr } = capture(argv, { env: { KUBECONFIG: file }, overrides: { clock: systemClock } });
  expect(await run(context)).toBe(1);
  expect(stderr()).toContain(`debug: GET ${server.url}/api/v1/namespaces/shop/pods/web`);
  expect(stderr()).not.toContain('opaque-secret');
});
