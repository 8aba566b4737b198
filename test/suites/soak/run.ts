import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { dump } from 'js-yaml';
import { readKubeconfigFile } from '../../support/kubeconfig-file.ts';
import { faultsOf } from './faults.ts';

// npm run test:soak [-- --faults 10000 --seed N]: the real program follows a hundred containers, half of them
// on a node whose clock is ahead, while every possible fault occurs repeatedly, and its token is renewed.
// Every line must appear once, in its container's order.
const PODS = 100;
const PATIENCE_MS = 180_000;
const ROOT = resolve(import.meta.dirname, '../../..');
const { values } = parseArgs({
  options: { faults: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

const folder = await mkdtemp(join(tmpdir(), 'logtool-soak-'));
const cluster = await startSimCluster({
  seed,
  scenario: {
    startDelays: 'none',
    nodes: [
      { name: 'node-a', pods: 60 },
      { name: 'node-b', pods: 60, clockSkew: '5s' },
    ],
    users: [
      {
        name: 'somebody',
        rules: [
          { resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] },
          { apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs: ['get', 'list', 'watch'] },
        ],
      },
    ],
    workloads: [
      { kind: 'Deployment', name: 'many', replicas: PODS, containers: [{ name: 'app', lines: ['up'] }] },
    ],
  },
});
const kubeconfig = join(folder, '.kubeconfig');
const tokenFile = join(folder, '.token');
await writeKubeconfig();
const pods = cluster.store.list('pods', 'default').map(({ metadata }) => metadata.name);
const printed = new Map<string, number[]>();
const written = new Map(pods.map((pod) => [pod, 0]));
let doubled = 0;
/** Lines that no container wrote in this form: cut, or a repeated first line of a container. */
const strange: string[] = [];
let firstLines = 0;
let notices = 0;
/** False reports of missing lines: none is missing. */
const untrue: string[] = [];

const program = spawn(
  process.execPath,
  [
    join(ROOT, 'bin/logtool.js'),
    'logs',
    'deployments/many',
    '-f',
    '--all',
    '--raw',
    '--max-log-requests=200',
  ],
  { env: { ...process.env, HOME: folder, TMPDIR: folder, KUBECONFIG: kubeconfig } },
);
const ended = new Promise<number | null>((done) => program.once('close', done));
createInterface({ input: program.stdout }).on('line', (line) => {
  if (line === 'up' && ++firstLines <= PODS) return;
  const [pod = '', number = ''] = line.split(' ');
  if (line !== `${pod} ${Number(number)}` || !written.has(pod)) return void strange.push(line);
  const numbers = printed.get(pod) ?? [];
  if (numbers.includes(Number(number), Math.max(0, numbers.length - 5_000))) doubled++;
  numbers.push(Number(number));
  printed.set(pod, numbers);
});
createInterface({ input: program.stderr }).on('line', (line) => {
  notices++;
  if (/^(!|error)/.test(line)) untrue.push(line);
});

try {
  const faults = await soak();
  const peakKiB = /VmHWM:\s+(\d+)/.exec(
    await readFile(`/proc/${program.pid}/status`, 'utf8').catch(() => ''),
  )?.[1];
  program.kill('SIGINT');
  const code = await ended;
  const left = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  const lines = [...written.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${faults} faults, ${lines} lines: none lost, ${doubled} doubled, ${disordered()} containers out of order, ${strange.length} strange`,
  );
  for (const line of [...strange, ...untrue].slice(0, 10)) console.log(`unexpected: ${line}`);
  console.log(`${notices} lines on standard error, peak memory ${Math.round(Number(peakKiB) / 1024)} MiB`);
  console.log(`Ctrl-C: exit code ${code}, ${left.length} temporary files left`);
  const isWrong = doubled > 0 || disordered() > 0 || strange.length > 0 || untrue.length > 0;
  process.exitCode = isWrong || firstLines !== PODS || code !== 130 || left.length > 0 ? 1 : 0;
} finally {
  program.kill('SIGKILL');
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
}

async function soak(): Promise<number> {
  const wanted = Number(values.faults);
  const faults = faultsOf(
    cluster,
    seed,
    () => write(cluster),
    () => cluster.control.renewToken({ user: 'somebody' }).then(writeToken),
  );
  let count = 0;
  await write(cluster);
  await untilPrinted('before the first fault');
  for (let round = 1; count < wanted; round++) {
    await write(cluster);
    const { name, hits } = await faults.next();
    count += hits;
    await write(cluster);
    await untilPrinted(`behind fault ${count}, ${name}`);
    if (round % 20 === 0) console.log(`${count} faults, ${round} rounds`);
  }
  return count;
}

/** Uses a token file that another program renews. */
async function writeKubeconfig(): Promise<void> {
  const config = await readKubeconfigFile(cluster.kubeconfig);
  config.users = [{ name: 'somebody', user: { tokenFile } }];
  config['current-context'] = 'somebody';
  await writeFile(kubeconfig, dump(config));
  await writeToken();
}

async function writeToken(): Promise<void> {
  const { users } = await readKubeconfigFile(cluster.kubeconfig);
  const somebody = users.find(({ name }) => name === 'somebody');
  const { token } = (somebody?.user ?? {}) as { token?: string };
  if (token === undefined) throw new Error('the kubeconfig has no token');
  await writeFile(`${tokenFile}.new`, token);
  await rename(`${tokenFile}.new`, tokenFile);
}

async function write({ control }: SimCluster): Promise<void> {
  for (const pod of pods) {
    const number = (written.get(pod) ?? 0) + 1;
    written.set(pod, number);
    // The time is that of its node's clock.
    await control.writeLines({ pod, text: `${pod} ${number}` });
  }
}

/** Waits until every line has arrived: the view must recover by itself from every fault. */
async function untilPrinted(when: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const missing = () => pods.filter((pod) => (printed.get(pod)?.length ?? 0) < (written.get(pod) ?? 0));
  while (missing().length > 0) {
    if (program.exitCode !== null) throw new Error(`the program ended with ${program.exitCode} ${when}`);
    if (Date.now() > deadline)
      throw new Error(`lines of ${missing().length} pods did not come ${when}: ${missing()[0]}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

function disordered(): number {
  return [...printed.values()].filter((numbers) => numbers.some((number, at) => number !== at + 1)).length;
}
