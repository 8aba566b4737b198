import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { helmPath } from '../test/oracle/helm.ts';
import { kubectlPath } from '../test/oracle/kubectl.ts';

/** One thing to do, said to each program in its own words. */
interface Case {
  readonly name: string;
  readonly logtool: readonly string[];
  /** What kubectl, or the program named by `peer`, is told. */
  readonly kubectl: readonly string[];
  readonly peer?: 'helm';
}

interface Sample {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly bytes: number;
}

const ROOT = resolve(import.meta.dirname, '..');
/** What `npm run build:binary` made; measured too where it is there. */
const SINGLE_FILE = join(ROOT, 'out/logtool');
const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    namespace: { type: 'string', default: 'default' },
    pod: { type: 'string' },
    workload: { type: 'string', default: 'deployment/many' },
    rounds: { type: 'string', default: '5' },
  },
});

const cluster = values.kubeconfig === undefined ? await startSimulatedCluster() : undefined;
const kubeconfig = values.kubeconfig ?? cluster?.kubeconfig ?? '';
try {
  await writeResults(await measureAll());
} finally {
  cluster?.stop();
}

async function startSimulatedCluster(): Promise<{ readonly kubeconfig: string; stop(): void }> {
  const child = spawn('node', [join(ROOT, 'dist/simcluster.js'), join(ROOT, 'scenarios/many.yaml')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const path = /\S*kubeconfig\S*/.exec(said.split('\n').slice(0, -1).join('\n'))?.[0];
    if (path !== undefined) return { kubeconfig: path, stop: () => child.kill() };
  }
  throw new Error(`the simulated cluster did not start: ${said}`);
}

async function measureAll(): Promise<string[]> {
  const pod = values.pod ?? (await firstPod());
  const cases: Case[] = [
    { name: 'version alone', logtool: ['--version'], kubectl: ['version', '--client'] },
    {
      name: `pod, last 10`,
      logtool: ['logs', '-n', values.namespace, pod, '--tail=10'],
      kubectl: ['logs', '-n', values.namespace, pod, '--tail=10'],
    },
    {
      name: 'pod, whole log, raw',
      logtool: ['logs', '-n', values.namespace, pod, '--all', '--raw', '--previous=no'],
      kubectl: ['logs', '-n', values.namespace, pod],
    },
    {
      name: 'workload, whole logs, merged',
      logtool: ['logs', '-n', values.namespace, values.workload, '--all'],
      kubectl: [
        'logs',
        '-n',
        values.namespace,
        values.workload,
        '--all-pods',
        '--prefix',
        '--timestamps',
      ].concat('--max-log-requests=100'),
    },
  ];
  cases.push(...(await packageCases()));
  const rows: string[] = [];
  for (const one of cases) {
    const peer = one.peer === 'helm' ? await helmPath('4.1.4') : await kubectlPath();
    const samples: Record<'node' | 'file' | 'peer', Sample[]> = { node: [], file: [], peer: [] };
    for (let round = 0; round < Number(values.rounds); round++) {
      const told = [...one.logtool, '--kubeconfig', kubeconfig];
      samples.node.push(await measure('node', [join(ROOT, 'bin/logtool.js'), ...told]));
      if (existsSync(SINGLE_FILE)) samples.file.push(await measure(SINGLE_FILE, told));
      samples.peer.push(await measure(peer, [...one.kubectl, '--kubeconfig', kubeconfig]));
    }
    const measured = [row(one.name, samples.node, samples.peer)];
    if (samples.file.length > 0) measured.push(row(`${one.name}; single file`, samples.file, samples.peer));
    console.log(measured.join('\n'));
    rows.push(...measured);
  }
  return rows;
}

/** Releases of the package's own chart, rendered and listed, beside helm: from start to exit. */
async function packageCases(): Promise<readonly Case[]> {
  const chart = join(ROOT, 'charts/logtool');
  const place = ['-n', values.namespace];
  for (const name of ['bench-one', 'bench-two', 'bench-three'])
    await measure('node', [
      join(ROOT, 'bin/logtool.js'),
      ...['cluster', 'install', '--name', name, ...place, '--chart', chart, '--no-wait'],
      ...['--kubeconfig', kubeconfig],
    ]);
  return [
    // logtool asks the cluster what it can do, as helm does with `server`; with `client` helm asks nobody.
    ...['server', 'client'].map((side) => ({
      name: `chart, rendered (beside helm --dry-run=${side})`,
      logtool: ['cluster', 'install', '--name', 'bench', ...place, '--chart', chart, '--dry-run'],
      kubectl: ['install', 'bench', chart, ...place, `--dry-run=${side}`],
      peer: 'helm' as const,
    })),
    {
      name: 'releases, listed (beside helm)',
      logtool: ['cluster', 'list'],
      kubectl: ['list', '--all-namespaces'],
      peer: 'helm',
    },
  ];
}

async function firstPod(): Promise<string> {
  const child = spawn(
    await kubectlPath(),
    ['get', 'pods', '-n', values.namespace, '-o', 'name', '--kubeconfig', kubeconfig],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let out = '';
  for await (const chunk of child.stdout) out += chunk;
  const name = out.split('\n')[0]?.replace('pod/', '');
  if (!name) throw new Error(`no pod in namespace ${values.namespace}`);
  return name;
}

/** Runs a program from start to exit under bash's own clock, which counts the child's processor time too. */
async function measure(command: string, args: readonly string[]): Promise<Sample> {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let bytes = 0;
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${errors}`);
  const [wall = NaN, user = NaN, system = NaN] = (errors.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000, bytes };
}

function row(name: string, logtool: readonly Sample[], kubectl: readonly Sample[]): string {
  const middle = (samples: readonly Sample[], of: (sample: Sample) => number) =>
    samples.map(of).sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? NaN;
  const wall = [middle(logtool, (s) => s.wallMs), middle(kubectl, (s) => s.wallMs)] as const;
  const cpu = [middle(logtool, (s) => s.cpuMs), middle(kubectl, (s) => s.cpuMs)] as const;
  const cells = [
    name,
    `${Math.round(wall[0])} ms`,
    `${Math.round(wall[1])} ms`,
    (wall[0] / wall[1]).toFixed(2),
    (cpu[0] / cpu[1]).toFixed(2),
    `${(middle(kubectl, (s) => s.bytes) / 1e6).toFixed(2)} MB`,
  ];
  return `| ${cells.join(' | ')} |`;
}

async function writeResults(rows: readonly string[]): Promise<void> {
  const text = [
    '# logtool against kubectl and helm',
    '',
    `Medians of ${values.rounds} rounds, the programs in turn, on the same server. ${cpus()[0]?.model ?? 'unknown CPU'}, ` +
      `${cpus().length} cores, Node ${process.version}. Ratios are logtool over kubectl: below 1 is faster.` +
      (existsSync(SINGLE_FILE)
        ? ` The single file has ${Math.round(statSync(SINGLE_FILE).size / 1e6)} MB.`
        : ''),
    '',
    '| case | logtool | kubectl | wall time ratio | CPU time ratio | output of kubectl |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  await writeFile(join(ROOT, 'bench/results.md'), text);
}
