import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoteArgument } from '@logtool/kube/src/values/quote-argument.ts';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';
import { DEFAULT_COLUMNS } from '../../domain/columns.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import { announce } from '../dashboard/announce.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { parseArguments } from '../flags/parse.ts';
import { commandFailure } from '../messages/errors.ts';
import { StatusLine } from '../output/progress/status-line.ts';
import { planDemo } from '../plan/plan-demo.ts';
import type { DemoPlan } from '../plan/plans.ts';
import type { ServePlan } from '../plan/serve/serve-plan.ts';
import { logs } from './logs.ts';
import { untilEnded } from './serve.ts';

/** Starts the simulated cluster and its dashboard, prints how to reach both, and runs until interrupted. */
export async function demo(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = planDemo(context, raw);
  const { follow } = plan;
  const scenario = plan.scenario === undefined ? findScenario(context) : expandPath(plan.scenario, context);
  const status = new StatusLine(context.stderr, { clock: context.clock, env: context.env });
  try {
    const around = status.guardBoth(context);
    const cluster = await startCluster(around, scenario, status);
    try {
      await around.stderr.write(introduction(cluster.kubeconfig, follow, typedAs(context)));
      if (follow) return await showDashboard(around, { ...plan, kubeconfig: cluster.kubeconfig, status });
      await status.close();
      return await showLast(context, raw, cluster.kubeconfig);
    } finally {
      await cluster.close();
    }
  } finally {
    await status.close();
  }
}

async function startCluster(context: CliContext, scenario: string, status: StatusLine): Promise<SimCluster> {
  status.watch((last) => last);
  // Shows this at once: while code loads, timers may not fire.
  await status.show('starting the demo cluster');
  const { startSimCluster } = await import('@logtool/simcluster/src/start.ts');
  const starting = startSimCluster({ scenario });
  const cluster = await Promise.race([starting, untilEnded(context.signal)]);
  if (cluster !== undefined) return cluster;
  // Ctrl-C must not wait for steps that take seconds.
  void starting.then((late) => late.close()).catch(() => undefined);
  throw context.signal.reason;
}

interface DemoDashboard extends DemoPlan {
  readonly kubeconfig: string;
  readonly status: StatusLine;
}

async function showDashboard(context: CliContext, options: DemoDashboard): Promise<ExitCode> {
  await options.status.show('starting the dashboard');
  const { startDashboard } = await import('../dashboard/start-dashboard.ts');
  const plan: ServePlan = {
    host: 'localhost',
    port: options.port,
    mayMove: options.mayMove,
    logLevel: 'warn',
    skipOpen: options.skipOpen,
    auth: 'none',
    isOpenToOthers: false,
    sessionKeyFile: undefined,
    metricsPort: undefined,
    allowedHosts: [],
    allowedNamespaces: [],
    basePath: '',
    columns: DEFAULT_COLUMNS,
    connection: {
      kubeconfig: options.kubeconfig,
      context: undefined,
      inCluster: false,
      impersonate: undefined,
      bearer: undefined,
      requestTimeoutMs: undefined,
      flags: '',
      asFlags: '',
    },
  };
  const dashboard = await startDashboard(context, plan);
  try {
    await options.status.close();
    await announce(context, plan, dashboard);
    await untilEnded(context.signal);
  } finally {
    await dashboard.close();
  }
  context.signal.throwIfAborted();
  return EXIT.done;
}

async function showLast(context: CliContext, raw: RawArguments, kubeconfig: string): Promise<ExitCode> {
  const passed = ['color', 'config', 'debug'].flatMap((name) =>
    (raw.flags.get(name) ?? []).map(({ value }) =>
      value === undefined ? `--${name}` : `--${name}=${value}`,
    ),
  );
  const last = parseArguments('logs', [
    '*:deployments/*',
    '--tail=100',
    '--add-columns=pod',
    `--kubeconfig=${kubeconfig}`,
    // The user's own context and service account belong to another cluster.
    '--kube-context=',
    '--in-cluster=false',
    '--previous=auto',
    ...passed,
  ]);
  return logs(context, last);
}

/**
 * Returns a command that runs this program in any folder: its name if a shell finds it, else the file. The
 * user's shell does not have the folders that npm puts first in PATH for its own scripts.
 */
function typedAs({ env, program, packageFile }: CliContext): string {
  if (program !== 'logtool') return program;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const isFound = folders.some(
    (folder) => !/\bnode_modules[\\/]\.bin$/.test(folder) && existsSync(join(folder, 'logtool')),
  );
  if (isFound) return 'logtool';
  if (process.versions.bun !== undefined) return quoteArgument(process.execPath);
  const file = packageFile('bin/logtool.js');
  return file === undefined ? 'npx logtool' : `node ${quoteArgument(file)}`;
}

function introduction(kubeconfig: string, follow: boolean, program: string): string {
  const fate = follow
    ? 'Try in another terminal:'
    : 'It ends with this command; while it runs (without --no-follow), try in another terminal:';
  return `A simulated cluster is running. Its kubeconfig: ${kubeconfig}

${fate}
  export KUBECONFIG=${kubeconfig}
  ${program} logs '*:deployments/*' --level error,warn --all
  ${program} logs '*:deployments/*' --level error --since 5m --all --add-columns zone,pod
  ${program} logs '*:deployments/*' --grep 'timed out|failed' --force --tail=20

${follow ? 'Ctrl-C ends it.' : 'The last 100 records of all deployments:'}

`;
}

function findScenario(context: CliContext): string {
  const path = context.packageFile('scenarios/shop.yaml');
  if (path !== undefined) return path;
  throw commandFailure('scenario-not-found', {});
}
