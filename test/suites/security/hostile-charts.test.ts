import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { doublingSchema } from '../../support/helm/doubling-schema.ts';
import { writeChart } from '../../support/helm/tiny-chart.ts';
import { type ClusterProgram, startClusterProgram } from '../../support/program/cluster-program.ts';

/* The real process while a chart keeps it busy forever. */
let program: ClusterProgram;
let endless = '';
let doubling = '';
let hooked = '';
const CHART = { 'Chart.yaml': 'apiVersion: v2\nname: hostile\nversion: 0.1.0\n' };
const LOOKUP = '/configmaps/gate';
beforeAll(async () => {
  program = await startClusterProgram();
  endless = await writeChart(join(program.home, 'endless'), {
    ...CHART,
    'templates/a.yaml': `{{ $gate := lookup "v1" "ConfigMap" "shop" "gate" }}{{ range until 1000000 }}{{ range until 1000000 }}{{ end }}{{ end }}`,
  });
  doubling = await writeChart(join(program.home, 'doubling'), {
    ...CHART,
    'values.schema.json': doublingSchema(40),
    'templates/a.yaml': '',
  });
  // The main thread would read these repeatedly, 140,000 values each time.
  hooked = await writeChart(join(program.home, 'hooked'), {
    ...CHART,
    'templates/a.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: a, annotations: {helm.sh/hook: pre-install}}
x: [{{ repeat 140000 "1," }}]
`,
  });
});
afterAll(() => program.close());

const install = (chart: string) => ['install', '--name', 'a', '-n', 'shop', '--dry-run', '--chart', chart];

/** Returns the number of distinct seconds that the status line has shown. */
const ticks = (written: string) => new Set(written.match(/\(\d+ s\)/g)).size;

test('Ctrl-C ends a rendering that has no end: 130', async () => {
  const before = program.sim.requests.length;
  let ticksBefore: number | undefined;
  let typed = false;
  const [screen] = await program.screens([install(endless)], (written, type) => {
    if (!program.sim.requests.slice(before).some((request) => request.includes(LOOKUP))) return;
    ticksBefore ??= ticks(written);
    // The program keeps counting, so the template does not block it.
    if (typed || ticks(written) < ticksBefore + 2) return;
    typed = true;
    type('\x03');
  });
  expect(screen?.code).toBe(130);
  expect(screen?.text).not.toContain('error:');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a validation that has no end: %d', async (signal, expected) => {
  const [node = '', ...argv] = [...program.program, ...install(doubling)];
  const before = program.sim.requests.length;
  const child = spawn(node, argv, { env: program.env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  // The version is the last request before the values are checked.
  const timer = setInterval(() => {
    if (!program.sim.requests.slice(before).some((request) => request.endsWith('/version'))) return;
    clearInterval(timer);
    // Only one signal: the first must end the process.
    setTimeout(() => child.kill(signal), 1000);
  }, 50);
  onTestFinished(() => clearInterval(timer));
  const [code] = await once(child, 'close');
  expect([code, output]).toEqual([expected, expect.not.stringContaining('error:')]);
});

test('hooks that would hold up the program are refused before anything is changed', async () => {
  const before = program.sim.requests.length;
  const ended = await program.run(['install', '--name', 'a', '-n', 'shop', '--chart', hooked]);
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the hooks have more than 131072 values'),
  });
  expect(program.sim.requests.slice(before).filter((request) => !request.startsWith('GET '))).toEqual([]);
});
