import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

test("the README's example lists, watches and reads a log", async () => {
  const readme = await readFile(join(ROOT, 'packages/kube/README.md'), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, '.cache/readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'example.ts');
  await writeFile(file, example);
  const cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  onTestFinished(() => cluster.close());
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/run-ts.mjs', file], {
    cwd: ROOT,
    env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
  });
  const listed = stdout.split('\n').filter((line) => line.startsWith('listed '));
  expect(listed.length).toBeGreaterThan(0);
  expect(stdout.split('\n').filter((line) => line !== '').length - listed.length).toBe(2);
});
