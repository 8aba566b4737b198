import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type InstalledPackages,
  installPacked,
  readmeExamples,
} from '../../../test/support/packages/install-packed.ts';

let packed: InstalledPackages;

beforeAll(async () => {
  packed = await installPacked('kube', 'simcluster');
});

afterAll(() => packed.close());

test('the packed package starts a cluster and serves a log, by the example of its README', async () => {
  const [example = ''] = await readmeExamples('simcluster', 'js');
  expect(await packed.run(example)).toBe('ready\nGET / 200\n');
});

test('the packed package breaks what a test wants broken, by the example of its README', async () => {
  const [, , example = ''] = await readmeExamples('simcluster', 'js');
  expect(await packed.run(example)).toBe('503\nready\nGET / 200\nGET /cart 500\n');
});

test('the packed package takes the clock of a test, by the example of its README', async () => {
  const [, example = ''] = await readmeExamples('simcluster', 'js');
  expect(await packed.run(example)).toBe('true\n');
});

test('the packed package plays a scenario as a program', async () => {
  const [scenario = ''] = await readmeExamples('simcluster', 'yaml');
  const path = join(packed.folder, 'scenario.yaml');
  await writeFile(path, scenario);
  const program = join(packed.folder, 'node_modules/@logtool/simcluster/dist/main.js');
  const child = execFile(process.execPath, [program, path]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const kubeconfig = await new Promise((resolve) => child.stdout?.once('data', resolve));
  expect(kubeconfig).toMatch(/kubeconfig\n$/);
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
});

test('the examples of the README have the types of the packed package', async () => {
  const examples = await readmeExamples('simcluster', 'js');
  expect(examples).toHaveLength(3);
  for (const example of examples) expect(await packed.check(example)).toBe('');
  const wrong = `import { startSimCluster } from '@logtool/simcluster';\nstartSimCluster({ port: 'any' });\n`;
  expect(await packed.check(wrong)).toContain("Type 'string' is not assignable to type 'number'");
});
