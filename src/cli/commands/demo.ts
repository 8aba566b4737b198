import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
    await context.stderr.write(introduction(cluster.kubeconfig, follow));
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

function introduction(kubeconfig: string, follow: boolean): string {
  return `A simulated cluster is running. Its kubeconfig: ${kubeconfig}

Try in another terminal:
  export KUBECONFIG=${kubeconfig}
  logtool logs '*:deployments/*' --level error,warn --all
  logtool logs '*:deployments/*' --since PT5M --add-columns zone,pod
  logtool logs '*:deployments/*' --grep 'timeout|refused' --force --tail=20

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
