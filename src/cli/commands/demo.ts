import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { LogtoolError } from '../../domain/errors.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { parseArguments } from '../flags/parse.ts';
import { mergeSettings } from '../plan/settings.ts';
import { readBoolean, readText } from '../plan/values.ts';
import { logs } from './logs.ts';

/** Starts the simulated cluster, says how to reach it, and follows its deployments until it is ended. */
export async function demo(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const settings = mergeSettings(raw, context.env, undefined);
  const asked = readText(settings, 'scenario', 'FILE');
  const follow = readBoolean(settings, 'follow', true);
  const scenario = asked === undefined ? findScenario(import.meta.dirname) : expandPath(asked, context);
  const { startSimCluster } = await import('../../simcluster/start.ts');
  const cluster = await startSimCluster({ scenario });
  try {
    await context.stderr.write(introduction(cluster.kubeconfig, follow, programName(context)));
    const passed = ['color', 'config', 'debug'].flatMap((name) =>
      (raw.flags.get(name) ?? []).map(({ value }) =>
        value === undefined ? `--${name}` : `--${name}=${value}`,
      ),
    );
    const followed = parseArguments('logs', [
      '*:deployments/*',
      ...(follow ? ['--follow'] : ['--tail=100']),
      '--add-columns=pod',
      `--kubeconfig=${cluster.kubeconfig}`,
      // Context and service account that the person's own settings name are of another cluster.
      '--kube-context=',
      '--in-cluster=false',
      '--previous=auto',
      ...passed,
    ]);
    return await logs(context, followed);
  } finally {
    await cluster.close();
  }
}

/** What a person types to run this program: its name where a shell finds it, else npx, as in a fresh clone. */
function programName({ env }: CliContext): string {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, 'logtool'))) ? 'logtool' : 'npx logtool';
}

function introduction(kubeconfig: string, follow: boolean, program: string): string {
  const fate = follow
    ? 'Try in another terminal:'
    : 'It ends with this command; while it runs (without --no-follow), try in another terminal:';
  return `A simulated cluster is running. Its kubeconfig: ${kubeconfig}

${fate}
  export KUBECONFIG=${kubeconfig}
  ${program} logs '*:deployments/*' --level error,warn --all
  ${program} logs '*:deployments/*' --since PT5M --add-columns zone,pod
  ${program} logs '*:deployments/*' --grep 'timeout|refused' --force --tail=20

${follow ? 'Following the logs of all deployments. Ctrl-C ends it.' : 'The last 100 records of all deployments:'}

`;
}

/** The package's own scenario; dist/ and src/ lie at different depths below it. */
function findScenario(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'scenarios', 'shop.yaml');
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) break;
  }
  throw new LogtoolError({
    code: 'scenario-not-found',
    what: 'the scenario of the demo is not there',
    why: `there is no scenarios/shop.yaml above ${from}`,
    next: 'install logtool again, or give --scenario FILE',
  });
}
