import { expect, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import type { BrowserWorld, StartedProgram } from '../browser/open-browser.ts';
import { announce } from './announce.ts';

const PLAN = { host: 'localhost', port: 7500, mayMove: true, isOpenToOthers: false, skipOpen: false };

async function announced(options: {
  readonly plan?: Partial<typeof PLAN>;
  readonly port?: number;
  readonly env?: Record<string, string>;
  readonly exitCode?: number;
  readonly entry?: string;
  readonly entryForOnce?: string;
  readonly others?: readonly string[];
}) {
  const opened: string[] = [];
  const program: StartedProgram = {
    once(event, listener) {
      if (event === 'exit' && options.exitCode !== undefined) listener(options.exitCode);
      return program;
    },

    unref() {},
  };
  const world: BrowserWorld = {
    env: options.env ?? { DISPLAY: ':0' },
    platform: 'linux',
    start(_command, args) {
      opened.push(...args);
      return program;
    },
  };
  const { context, stdout, stderr } = capture([]);
  const port = options.port ?? 7500;
  const dashboard = {
    urls: [
      ...(options.others ?? []).map((name) => `http://${name}:${port}/${options.entry ?? ''}`),
      `http://localhost:${port}/${options.entry ?? ''}`,
    ],
    urlForOnce: () => `http://localhost:${port}/${options.entryForOnce ?? ''}`,
    port,
    close: async () => {},
  };
  await announce(context, { ...PLAN, ...options.plan }, dashboard, world);
  return { stdout: stdout(), stderr: stderr(), opened };
}

test('the address is printed and opened', async () => {
  expect(await announced({})).toEqual({
    stdout: 'logtool dashboard: http://localhost:7500/\n',
    stderr: '',
    opened: ['http://localhost:7500/'],
  });
});

test('every address is printed on a line of its own, and the one for this machine is opened', async () => {
  expect(await announced({ others: ['10.0.0.7', 'logs.example.com'] })).toMatchObject({
    stdout: `logtool dashboard: http://10.0.0.7:7500/
logtool dashboard: http://logs.example.com:7500/
logtool dashboard: http://localhost:7500/
`,
    opened: ['http://localhost:7500/'],
  });
});

test('what stands among the arguments of a program, which all users see, is not the token that lasts', async () => {
  expect(await announced({ entry: '?token=lasting', entryForOnce: '?token=once' })).toMatchObject({
    stdout: 'logtool dashboard: http://localhost:7500/?token=lasting\n',
    opened: ['http://localhost:7500/?token=once'],
  });
});

test('announces a port other than the usual one', async () => {
  const { stdout, stderr } = await announced({ port: 7502 });
  expect(stderr).toBe('note: port 7500 is taken; the dashboard is on 7502\n');
  expect(stdout).toBe('logtool dashboard: http://localhost:7502/\n');
});

test('a port that was chosen as any is no surprise', async () => {
  expect((await announced({ plan: { port: 0, mayMove: false }, port: 40_000 })).stderr).toBe('');
});

test('--skip-open opens nothing and says nothing of it', async () => {
  expect(await announced({ plan: { skipOpen: true }, env: {} })).toMatchObject({ stderr: '', opened: [] });
});

test('where nothing can be opened, or opening fails, that is a note', async () => {
  expect(await announced({ env: { DISPLAY: ':0', CI: '1' } })).toMatchObject({
    stderr: 'note: logtool did not open a browser: CI is set\n',
    opened: [],
  });
  expect((await announced({ exitCode: 3 })).stderr).toBe(
    'note: logtool did not open a browser: xdg-open ended with 3\n',
  );
});
