import { parseArgs } from 'node:util';
import { startControl } from './control/endpoint.ts';
import { SimClusterError } from './simcluster-error.ts';
import { startSimCluster } from './start.ts';

const USAGE = `Usage: npm run simcluster -- [options] SCENARIO

Plays a scenario (scenarios/*.yaml) as a Kubernetes API on loopback, until Ctrl-C. Prints the kubeconfig's path.

  --port N          port of the API server; a free one when left out
  --control-port N  port of the control endpoint; a free one when left out
  --seed N          seed of every random choice; the scenario's own when left out
  --directory PATH  where kubeconfig and log files go; a temporary folder when left out
  --print-schema    prints the JSON Schema of scenarios (scenarios/schema.json) and ends
  --help            this text
`;

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${textOf(error)}\n`);
  process.exitCode = error instanceof SimClusterError && error.exit === 'usage' ? 2 : 1;
});

function textOf(error: unknown): string {
  if (error instanceof SimClusterError) return error.message;
  if (isTaken(error))
    return `port ${error.port} of this machine is taken\nchoose another, or leave --port and --control-port out`;
  return (error as Error).stack ?? String(error);
}

async function main(argv: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(argv);
  if (values.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  if (values['print-schema'] === true) {
    const { publishedSchema } = await import('./scenario/publish.ts');
    process.stdout.write(`${JSON.stringify(publishedSchema(), undefined, 2)}\n`);
    return;
  }
  const [scenario, extra] = positionals;
  if (scenario === undefined || extra !== undefined) {
    throw badArguments('one scenario file is needed');
  }
  // Registered before anything is created that needs removal; a second Ctrl-C ends the process without removing it.
  const signaled = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, resolve);
  });
  const cluster = await startSimCluster({
    scenario,
    ...number('port', values.port),
    ...number('seed', values.seed),
    ...(values.directory === undefined ? {} : { directory: values.directory }),
  });
  const control = await startControl(cluster, number('port', values['control-port']).port).catch(
    async (error: unknown) => {
      await cluster.close();
      throw error;
    },
  );
  process.stdout.write(`${cluster.kubeconfig}\n`);
  process.stderr.write(
    `serving ${cluster.server}, control ${control.url}; Ctrl-C ends it\n` +
      `try: kubectl --kubeconfig ${cluster.kubeconfig} get pods -A\n`,
  );
  const signal = await signaled;
  await control.close();
  await cluster.close();
  process.exitCode = signal === 'SIGINT' ? 130 : 143;
}

function isTaken(error: unknown): error is { readonly port: number } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        'control-port': { type: 'string' },
        seed: { type: 'string' },
        directory: { type: 'string' },
        'print-schema': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (cause) {
    throw badArguments((cause as Error).message, cause);
  }
}

function number<Name extends 'port' | 'seed'>(
  name: Name,
  text: string | undefined,
): { [key in Name]?: number } {
  if (text === undefined) return {};
  if (!/^\d{1,10}$/.test(text) || (name === 'port' && Number(text) > 65_535)) {
    throw badArguments(`--${name} ${text} is not a number in range`);
  }
  return { [name]: Number(text) } as { [key in Name]?: number };
}

function badArguments(what: string, cause?: unknown): SimClusterError {
  return new SimClusterError('bad-arguments', { what, next: 'see --help' }, { exit: 'usage', cause });
}
