import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

const POLL = { timeout: 60_000, interval: 2 };

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli?.remove());

const SCENARIO = 'scenarios/shop.yaml';
const demo = () => startProgram(cli, '', ['demo', '--no-browser', '--port=0', '--scenario', SCENARIO]);

/** Waits until its cluster is being built, and has a folder. */
const begun = ({ folder }: RunningProgram) =>
  vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1), POLL);

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s while the demo starts: exit code %d, and nothing of it is left', async (signal, code) => {
  const program = await demo();
  await begun(program);
  program.child.kill(signal);
  expect(await program.ended).toEqual({ code, stderr: '', left: [] });
});

test('two signals in close succession leave nothing of the demo', async () => {
  const program = await demo();
  await new Promise((resolve) => program.child.stdout.once('data', resolve));
  program.child.kill('SIGINT');
  program.child.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ left: [] });
});
