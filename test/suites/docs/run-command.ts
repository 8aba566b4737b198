import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseCommandLine } from '@logtool/logtool/src/cli/flags/find-command.ts';
import { type DocCommand, ROOT, shellArguments } from './markdown.ts';
import type { DocWorld, Ran } from './world.ts';

/**
 * Commands that tests cannot run, by prefix, with the reason. The flags of logtool's own are still checked.
 */
const NOT_RUN: Readonly<Record<string, string>> = {
  'logtool cluster repo add': 'asks a chart repository on the network',
  'logtool cluster repo update': 'asks a chart repository on the network',
  'logtool mcp': 'serves a client until it ends',
  'claude ': 'needs that client',
  'code ': 'needs that editor',
  'logtool serve --in-cluster': 'needs the service account of a pod',
  'npm install -g': 'installs from the registry into the machine',
  'npm link': 'changes the machine',
  'kubectl port-forward': 'needs a kubelet',
  'kubectl patch secret logtool-api-tls':
    'needs a running API of the agents; test/suites/chart/agent-programs.test.ts runs it',
  'kubectl krew install': 'needs krew and a release',
  'brew ': 'needs Homebrew',
  'scoop ': 'needs Scoop',
  'docker ': 'needs a Docker daemon',
  'kind load': 'needs kind',
  'ctr ': 'needs containerd',
  'gh ': 'asks GitHub',
  'curl ': 'downloads from a release page',
  'sha256sum ': 'checks what was downloaded',
  'chmod ': 'changes a file that is not here',
  'git clone': 'clones from the network',
  'cd ': 'changes the folder of a shell',
  'export KUBECONFIG': 'sets a variable of a shell',
};

/** Runs a command of a page like a user would; throws if it cannot succeed as written. */
export async function runDocCommand(
  command: Pick<DocCommand, 'text'>,
  world: DocWorld,
): Promise<Ran | undefined> {
  const text = command.text
    .replace(/^source <\((.*)\)$/, '$1')
    .replace(/ \| (?:source|Out-String \| Invoke-Expression)$/, '')
    .replace(/^kubectl logtool\b/, 'logtool')
    .replace(/^npx logtool /, 'logtool ');
  for (const step of text.split(' && ').slice(0, -1)) await runDocCommand({ text: step }, world);
  const last = text.split(' && ').at(-1) ?? '';
  const args = shellArguments(last.replace(/ > \S+$/, ''));
  const known = Object.keys(NOT_RUN).some((start) => last.startsWith(start));
  if (args[0] === 'logtool') {
    parseCommandLine(args.slice(1));
    return known ? undefined : runLogtool(args.slice(1), world);
  }
  if (known) return undefined;
  if (args[0] === 'kubectl') return world.kubectl(args.slice(1));
  if (args[0] === 'helm') return runHelm(args.slice(1), world);
  if (args[0] === 'npm') return checkNpm(args.slice(1));
  throw new Error(`nothing knows how to run: ${last}`);
}

async function runLogtool(argv: readonly string[], world: DocWorld): Promise<Ran> {
  const [command] = argv;
  if (command === 'serve' || command === 'demo') {
    const quiet = [
      command === 'demo' ? '--no-browser' : '--skip-open',
      ...(argv.some((arg) => arg.startsWith('--port')) ? [] : ['--port=0']),
    ];
    const ran = await world.logtool([...argv, ...quiet], (seen) =>
      /https?:\/\/\S+:\d+/.test(seen.stdout() + seen.stderr()),
    );
    return expectCode(ran, [0, 130], argv);
  }
  if (command === 'cluster') return runRelease(argv, world);
  if (argv.length === 1) return expectCode(await world.pick(argv), [0], argv);
  const follows = argv.some((arg) => /^(?:-f|--follow)$/.test(arg));
  if (!follows) return expectCode(await world.logtool(argv), [0], argv);
  // Waits for the header and the existing records; later records may never come.
  const lines = 1 + Number(/^--tail=(\d+)$/m.exec(argv.join('\n'))?.[1] ?? 10);
  const ran = await world.logtool(argv, (seen) => seen.stdout().split('\n').length > lines);
  return expectCode(ran, [0, 130], argv);
}

/** Commands that need a release get one; commands that create one start without. */
async function runRelease(argv: readonly string[], world: DocWorld): Promise<Ran> {
  const [, action = ''] = argv;
  const exists = (await world.release(['cluster', 'status'])).code === 0;
  if (action === 'install' && exists) await must(world, ['cluster', 'uninstall']);
  if (action !== 'install' && action !== 'list' && !exists) await must(world, ['cluster', 'install']);
  if (action === 'rollback') await must(world, ['cluster', 'upgrade']);
  return expectCode(await world.release(argv), [0], argv);
}

async function must(world: DocWorld, argv: readonly string[]): Promise<void> {
  expectCode(await world.release(argv), [0], argv);
}

/** Runs the real helm without another release of the chart; uninstalls afterwards. */
async function runHelm(argv: readonly string[], world: DocWorld): Promise<undefined> {
  const [action, name = ''] = argv;
  if (action !== 'install') throw new Error(`nothing knows how to run: helm ${argv.join(' ')}`);
  if ((await world.release(['cluster', 'status'])).code === 0) await must(world, ['cluster', 'uninstall']);
  await world.helm(argv);
  const namespace = argv.includes('--namespace') ? argv.slice(argv.indexOf('--namespace')).slice(0, 2) : [];
  await world.helm(['uninstall', name, ...namespace]);
}

function expectCode(ran: Ran, codes: readonly number[], argv: readonly string[]): Ran {
  if (codes.includes(ran.code)) return ran;
  throw new Error(`logtool ${argv.join(' ')} ended with ${ran.code}\n${ran.stdout}${ran.stderr}`);
}

function checkNpm(args: readonly string[]): undefined {
  const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const [verb = '', name = ''] = args;
  const script = verb === 'run' ? name : verb === 'test' ? 'test' : undefined;
  if (script === undefined && verb !== 'install' && verb !== 'ci') throw new Error(`npm ${verb} is unknown`);
  if (script !== undefined && scripts[script] === undefined)
    throw new Error(`package.json has no script ${script}`);
}
