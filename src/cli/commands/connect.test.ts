import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from '../../domain/clock.ts';
import { Stop } from '../exit-codes.ts';
import { run } from '../run.ts';
import { capture } from '../testing/capture.ts';

test('what a credential plugin says goes to standard error, in its turn with all that is said there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-connect-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const plugin = join(folder, 'plugin');
  await writeFile(plugin, '#!/bin/sh\necho "log in there" >&2\nexec sleep 300\n');
  await chmod(plugin, 0o755);
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: plugin,
    interactiveMode: 'Never',
  };
  const kubeconfig = {
    'current-context': 'one',
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
    clusters: [{ name: 'one', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'one', user: { exec } }],
  };
  await writeFile(join(folder, 'config'), JSON.stringify(kubeconfig));
  const clock = new FakeClock();
  const { context, stderr, controller } = capture(['logs', 'web'], {
    env: { KUBECONFIG: join(folder, 'config'), PATH: process.env.PATH ?? '' },
    overrides: { clock },
  });
  const ended = run(context);
  await vi.waitUntil(() => clock.pending > 0, { timeout: 60_000 });
  await clock.advance(2000);
  await vi.waitUntil(() => stderr().includes('log in there\n'), { timeout: 60_000 });
  controller.abort(new Stop(130, 'interrupted'));
  expect(await ended).toBe(130);
});
