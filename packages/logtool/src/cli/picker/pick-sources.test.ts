import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import type { Choice } from './choice.ts';
import { pickSources } from './pick-sources.ts';

const choices: readonly Choice[] = [
  { source: 'deployments/checkout', state: '1/2 CrashLoopBackOff, 14 restarts', isFailing: true },
  { source: 'deployments/web', state: '3/3', isFailing: false },
  { source: 'statefulsets/db', state: '1/1', isFailing: false },
  { source: 'pods/web-1', state: 'Running', isFailing: false },
];

const KEYS = { tab: '\t', enter: '\r', down: '\x1b[B', up: '\x1b[A', interrupt: '\x03', erase: '\x7f' };

/** Types on the test's keyboard, key by key. */
function pick(...keys: readonly string[]) {
  return pickOn({}, ...keys);
}

/** Runs on a terminal that calls `write` before it accepts something. */
async function pickOn(
  { columns = 100, write = async () => undefined }: { columns?: number; write?: () => Promise<void> },
  ...keys: readonly string[]
) {
  const world = capture(['logs'], { terminal: true, env: { NO_COLOR: '1' } });
  const { stderr } = world.context;
  const terminal = {
    ...stderr,
    columns,
    write: async (chunk: string | Uint8Array) => {
      await write();
      await stderr.write(chunk);
    },
  };
  const input = new PassThrough();
  const picked = pickSources(
    { ...world.context, stderr: terminal },
    { choices, notices: ['logtool could not list replicasets: forbidden'] },
    {
      keyboard: { input, rows: () => 24 },
      commandOf: (sources) => `logtool logs ${sources.join(' ')}`,
    },
  );
  for (const key of keys) {
    input.write(key);
    await setImmediate();
  }
  return { picked, world, input };
}

test('Enter opens the choice under the cursor, and the command that does the same stays', async () => {
  const { picked, world } = await pick(KEYS.down, KEYS.enter);
  expect(await picked).toEqual(['deployments/web']);
  expect(world.stderr()).toContain('> ○ deployments/web');
  expect(world.stderr()).toMatch(/logtool logs deployments\/web\n.*$/s);
  expect(world.stdout()).toBe('');
});

test('what is typed filters by name and state, word by word', async () => {
  const { picked, world } = await pick(...'CRASH dep', KEYS.enter);
  expect(await picked).toEqual(['deployments/checkout']);
  expect(world.stderr()).toContain('1 of 4');
});

test('Tab selects several, also under different filters', async () => {
  const { picked, world } = await pick(
    ...'web',
    KEYS.tab,
    KEYS.erase,
    KEYS.erase,
    KEYS.erase,
    ...'db',
    KEYS.tab,
    KEYS.enter,
  );
  expect(await picked).toEqual(['deployments/web', 'statefulsets/db']);
  expect(world.stderr()).toContain('2 selected');
});

test('Tab takes a selection back', async () => {
  const { picked } = await pick(KEYS.tab, KEYS.tab, KEYS.down, KEYS.enter);
  expect(await picked).toEqual(['deployments/web']);
});

test('Enter opens nothing while nothing matches', async () => {
  const { picked, world, input } = await pick(...'zzz', KEYS.enter);
  expect(world.stderr()).toContain('nothing matches "zzz"');
  for (const key of [KEYS.erase, KEYS.erase, KEYS.erase, ...'db', KEYS.enter]) {
    input.write(key);
    await setImmediate();
  }
  expect(await picked).toEqual(['statefulsets/db']);
});

test('Ctrl-C leaves without a choice', async () => {
  const { picked } = await pick(...'web', KEYS.interrupt);
  expect(await picked).toBeUndefined();
});

test('the end of the program ends the question', async () => {
  const { picked, world } = await pick(...'web');
  world.controller.abort();
  expect(await picked).toBeUndefined();
});

test('the end of the program after the answer does not disturb what is still being written', async () => {
  const { picked, world } = await pickOn({ write: () => setImmediate() }, KEYS.enter);
  world.controller.abort();
  expect(await picked).toEqual(['deployments/checkout']);
  expect(world.stderr()).toMatch(/logtool logs deployments\/checkout\n\x1b\[\?25h$/);
});

test.each([
  ['Enter', KEYS.enter],
  ['Ctrl-C', KEYS.interrupt],
])('%s: everything is written before the command continues, even on a slow terminal', async (_, key) => {
  const { picked, world } = await pickOn({ write: () => setImmediate() }, ...'db', key);
  await picked;
  const text = world.stderr();
  expect(text).toMatch(/\n\x1b\[\?25h$/);
  for (let turn = 0; turn < 100; turn++) await setImmediate();
  expect(world.stderr()).toBe(text);
});

test('the command that stays is one line, however narrow the terminal is', async () => {
  const { picked, world } = await pickOn({ columns: 30 }, KEYS.tab, KEYS.down, KEYS.tab, KEYS.enter);
  await picked;
  expect(world.stderr()).toContain('logtool logs deployments/checkout deployments/web\n');
});
