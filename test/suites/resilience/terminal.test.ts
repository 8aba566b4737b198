import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '@logtool/simcluster/src/faults/fault.ts';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { onTerminal } from '../../support/program/on-terminal.ts';
import { closeTerminal } from './close-terminal.ts';
import { plain } from './follow-crowd.ts';
import { clusterOf } from './one-deployment.ts';
import { environment, ownFolder } from './start-program.ts';

const PODS = 20;
const POLL = { timeout: 60_000, interval: 20 };
const LAST = 'the last line';
const COLOURED = '\x1b[31mred {n}\x1b[0m and \x1b[1mbold without an end';

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli?.remove());

const clusterWith = (...faults: readonly Fault[]) => clusterOf(PODS, { text: COLOURED, repeat: 200 }, faults);

/** Returns the final screen, and whether the next prompt looks right. */
function screenOf(written: string) {
  const lines = [''];
  let styled = false;
  let strange = '';
  for (const [sequence] of written.matchAll(/\x1b\[([\d;?]*)([A-Za-z])|\x1b|\r|\n|[^\x1b\r\n]+/g)) {
    if (sequence === '\n') lines.push('');
    else if (sequence === '\x1b[2K') lines[lines.length - 1] = '';
    else if (/^\x1b\[[\d;]*m$/.test(sequence)) styled = !/^\x1b\[0?m$/.test(sequence);
    // Incomplete if the terminal discarded the rest on Ctrl-C; the next sequence ends it.
    else if (sequence.startsWith('\x1b')) strange += sequence === '\x1b' ? '' : JSON.stringify(sequence);
    // New text overwrites the line from the left, so the program clears it first.
    else if (sequence !== '\r') lines[lines.length - 1] += sequence;
  }
  return { lines, prompt: { line: lines.at(-1), styled, strange } };
}

const CLEAN = { line: '', styled: false, strange: '' };

/**
 * Types Ctrl-C once the program has written `text`; the logs get a last line once the program has written
 * anything.
 */
async function interrupted(cluster: SimCluster, text: string, argv: readonly string[]) {
  const folder = await ownFolder();
  let typed = false;
  let isEnded = false;
  const line = ['logs', 'deployments/web', ...argv];
  const env = environment(cli, cluster.kubeconfig, folder);
  const [screen] = await onTerminal(cli.command, env, [line], (written, type) => {
    if (!isEnded && written.includes('red')) {
      isEnded = true;
      void cluster.control.writeLines({ workload: 'deployments/web', index: 0, text: LAST });
    }
    if (typed || !written.includes(text)) return;
    typed = true;
    type('\x03');
  });
  expect(await readdir(folder)).toEqual([]);
  return { code: screen?.code, ...screenOf(screen?.text ?? '') };
}

test('Ctrl-C while containers are read in turns takes the line of progress away', async () => {
  const cluster = await clusterWith({ kind: 'stall', match: '/log\\?', skip: 5, afterBytes: 100 });
  const argv = ['--all', '--max-log-requests=1'];
  const { code, lines, prompt } = await interrupted(cluster, 'containers read;', argv);
  expect({ code, lines, prompt }).toEqual({ code: 130, lines: [''], prompt: CLEAN });
});

test('what is waited for is shown, and is gone at Ctrl-C', async () => {
  const cluster = await clusterWith({ kind: 'stall', match: '/log\\?', afterBytes: 0 });
  const { code, lines, prompt } = await interrupted(
    cluster,
    `waiting for ${PODS} of ${PODS} containers (web-`,
    [],
  );
  expect({ code, lines, prompt }).toEqual({ code: 130, lines: [''], prompt: CLEAN });
});

test.each([
  ['a table', []],
  ['raw', ['--raw']],
])('Ctrl-C while following colored lines leaves a prompt as it should be: %s', async (_, argv) => {
  const { code, prompt } = await interrupted(await clusterWith(), `${LAST}\r\n`, ['-f', ...argv]);
  // The terminal itself echoes the typed Ctrl-C.
  expect({ code, prompt: { ...prompt, line: prompt.line?.replace('^C', '') } }).toEqual({
    code: 130,
    prompt: CLEAN,
  });
});

test('Ctrl-C in the middle of colored lines leaves no color, although the terminal discards some text', async () => {
  const { code, prompt } = await interrupted(await clusterWith(), 'red', ['-f', '--all']);
  const { styled, strange } = CLEAN;
  expect({ code, ...prompt }).toEqual({ code: 130, line: expect.anything(), styled, strange });
});

test('Ctrl-C reaches a program whose terminal does not take what it prints', async () => {
  const cluster = await clusterWith();
  const folder = await ownFolder();
  const script = '"$@"; echo "[exit $?]"; read _';
  const terminal = spawn(
    '/bin/sh',
    ['-c', `trap : INT; ${script}`, 'sh', ...cli.command, 'logs', 'deployments/web', '--all', '-f'],
    { cols: 100, rows: 30, env: environment(cli, cluster.kubeconfig, folder) },
  );
  onTestFinished(() => terminal.kill());
  let written = '';
  let isPaused = false;
  terminal.onData((data) => {
    written += data;
    if (isPaused || !written.includes('red')) return;
    isPaused = true;
    terminal.pause();
    terminal.write('\x03');
    terminal.resume();
  });
  await vi.waitFor(() => expect(written).toContain('[exit '), POLL);
  expect(written).toContain('[exit 130]');
  const { prompt } = screenOf(written.slice(0, written.indexOf('[exit')));
  expect(prompt).toMatchObject({ styled: false, strange: '' });
  expect(await readdir(folder)).toEqual([]);
});

test('Ctrl-C ends printing, however much is ready', async () => {
  const cluster = await clusterOf(PODS, { text: 'x'.repeat(200), repeat: 3000 }, []);
  const folder = await ownFolder();
  let before = 0;
  let all = 0;
  const env = environment(cli, cluster.kubeconfig, folder);
  const [screen] = await onTerminal(
    cli.command,
    env,
    [['logs', 'deployments/web', '--tail=50000']],
    (written, type) => {
      all = written.length;
      if (before > 0 || !written.includes('xxx')) return;
      before = all;
      type('\x03');
    },
  );
  expect(screen?.code).toBe(130);
  // Of 11 MB, only what was already on its way.
  expect(all - before).toBeLessThan(300_000);
});

test('a terminal that is closed ends what runs in it as any other signal does', async () => {
  const cluster = await clusterWith();
  const folder = await ownFolder();
  const [file, ...args] = cli.command;
  const terminal = spawn(file, [...args, 'logs', 'deployments/web', '-f'], {
    env: environment(cli, cluster.kubeconfig, folder),
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  const ended = new Promise((resolve) => terminal.onExit(resolve));
  await new Promise<void>((resolve) => {
    terminal.onData((text) => text.includes('red') && resolve());
  });
  closeTerminal(terminal);
  expect(await ended).toEqual({ exitCode: 129, signal: 0 });
  expect(await readdir(folder)).toEqual([]);
});

test('an outage is one line on a terminal, and so is its end', async () => {
  const cluster = await clusterWith();
  const folder = await ownFolder();
  const out = join(folder, 'out');
  const program = ['/bin/sh', '-c', `"$@" > '${out}'`, 'sh', ...cli.command];
  const argv = ['logs', 'deployments/web', '-f', '--tail=0', '--raw'];
  let written = '';
  let type = (_: string) => {};
  const ended = onTerminal(program, environment(cli, cluster.kubeconfig, folder), [argv], (all, write) => {
    written = all;
    type = write;
  });
  const printed = async (text: string) =>
    vi.waitFor(async () => expect((await readFile(out, 'utf8')).split(text)).toHaveLength(PODS + 1), POLL);
  const reported = (lines: number) =>
    vi.waitFor(() => expect(written.split('\r\n').length).toBeGreaterThan(lines), POLL);
  // An arriving line proves that the program follows all containers.
  await vi.waitFor(async () => {
    const open = cluster.calls.filter(({ uri }) => /\/log\?.*follow=true/.test(uri));
    expect(open).toHaveLength(PODS);
  }, POLL);
  await cluster.control.writeLines({ workload: 'deployments/web', text: 'before' });
  await printed('before');
  for (let outage = 0; outage < 2; outage++) {
    await cluster.control.killServer();
    await reported(2 * outage + 1);
    await cluster.startServer();
    await cluster.control.writeLines({ workload: 'deployments/web', text: `behind outage ${outage}` });
    await printed(`behind outage ${outage}`);
    await reported(2 * outage + 2);
  }
  type('\x03');
  const [screen] = await ended;
  expect(screen?.code).toBe(130);
  const text = plain((screen?.text ?? '').replaceAll('\r\n', '\n').replace('^C', ''));
  const away = /^(Lost contact with the cluster, trying again|~ \d+ containers are reconnecting): WHY\n/
    .source;
  const back = /(Reconnected to the cluster|~ \d+ containers reconnected)\n/.source;
  expect(text).toMatch(new RegExp(`^(${away.slice(1)}${back}){2}$`));
});
