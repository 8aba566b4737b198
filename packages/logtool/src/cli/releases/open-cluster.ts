import type { ActionContext, ChartActionContext } from '@logtool/helm/src/actions/action.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import { driverFrom } from '@logtool/helm/src/release/driver.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { quoteArgument } from '@logtool/kube/src/values/quote-argument.ts';
import type { CommandCharts } from '../charts/with-charts.ts';
import { connect } from '../connection/connect.ts';
import type { CliContext } from '../context.ts';
import { readvised } from '../messages/advice.ts';
import { describeForRecord, helmWorded } from '../messages/helm.ts';
import type { LogtoolError } from '../messages/logtool-error.ts';
import { errorText } from '../output/error-text.ts';
import { StatusLine } from '../output/progress/status-line.ts';
import type { ClusterPlan } from '../plan/cluster/cluster-plans.ts';
import type { ConnectionPlan } from '../plan/connection-plan.ts';
import { createReporter, type Reporter } from './reporter.ts';

/** Commands of logtool on a cluster, as errors advise them. */
const OWN = /\blogtool (?:logs|cluster (?:install|upgrade|uninstall|rollback|list|status|history))(?= )/g;

/**
 * Runs an action on the requested cluster, with its releases in the storage that HELM_DRIVER names. Adds
 * messages to the cluster's errors, and closes the connection at the end. A terminal shows what logtool is
 * waiting for; the context given to `act` writes around that line.
 */
export async function onCluster<T>(
  outer: CliContext,
  plan: ClusterPlan,
  act: (action: ActionContext, reporter: Reporter, context: CliContext) => Promise<T>,
): Promise<T> {
  const driver = driverFrom(outer.env.HELM_DRIVER);
  const { clock, env } = outer;
  const status = new StatusLine(outer.stderr, { clock, env });
  const context = status.guardBoth(outer);
  const client = await connect(context, plan.connection, plan);
  const { flags } = plan.connection;
  const reporter = createReporter(context.stderr, status, flags);
  const sinceMs = clock.steady();
  status.watch((last) => `${last ?? 'working'} (${Math.floor((clock.steady() - sinceMs) / 1000)} s)`);
  try {
    return await act(
      {
        client,
        storage: clusterStorage(client, context.clock, driver),
        clock: context.clock,
        signal: context.signal,
        onProgress: reporter.onProgress,
        onHookLog: reporter.onHookLog,
        describe: describeForRecord,
      },
      reporter,
      context,
    );
  } catch (error) {
    if (!context.signal.aborted) throw adviseKubectl(shownError(error, client, flags), plan.connection);
    // An interruption prints nothing else, but the user must know the state of the release.
    if (error instanceof CodedError && /^release-(interrupted|unrecorded)$/.test(error.code)) {
      await reporter.end();
      await context.stderr.write(errorText(helmWorded(error, flags)));
    }
    throw error;
  } finally {
    await reporter.end();
    client.close();
  }
}

function shownError(
  error: unknown,
  { cluster }: Pick<KubeClient, 'cluster'>,
  clusterFlags: string,
): LogtoolError {
  return helmWorded(describeKubeError(error, cluster), clusterFlags);
}

/** Like `onCluster`, for an action that makes a revision from a chart. */
export async function onClusterWithCharts<T>(
  context: CliContext,
  plan: ClusterPlan,
  charts: CommandCharts,
  act: (action: ChartActionContext, reporter: Reporter, charts: CommandCharts) => Promise<T>,
): Promise<T> {
  return onCluster(context, plan, (action, reporter) => {
    // A caller that needs the answer awaits the same request, or sends it again and gets the error.
    const discover = () => void action.client.discover({ signal: action.signal }).catch(() => undefined);
    const asking = whileReading(charts, discover);
    return act({ ...action, charts: asking }, reporter, asking);
  });
}

/**
 * Calls `ask` whenever it starts to read a chart, to fetch ahead: the answer, and its digest, are available
 * by the time the work on charts needs them.
 */
function whileReading(charts: CommandCharts, ask: () => void): CommandCharts {
  return {
    ...charts,
    loadBundled(path) {
      ask();
      return charts.loadBundled(path);
    },

    load(path) {
      ask();
      return charts.load(path);
    },

    unpack(archive) {
      ask();
      return charts.unpack(archive);
    },
  };
}

/**
 * Makes the commands that an error advises reach the same cluster as the same user: logtool's own get the
 * flags of the failed command; kubectl, which knows neither these nor the configuration file, gets its own
 * flags.
 */
export function adviseKubectl(
  error: LogtoolError,
  { kubeconfig, context, flags: given }: Pick<ConnectionPlan, 'kubeconfig' | 'context' | 'flags'>,
): LogtoolError {
  const { next } = error;
  const args = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined || next?.includes(' --context ') === true ? [] : ['--context', context]),
  ];
  if (next === undefined || (args.length === 0 && given === '')) return error;
  const flags = args.map(quoteArgument).join(' ');
  // A function, because a path may contain replacement patterns.
  const led = next
    .replace(/\bkubectl (?=[a-z])/g, (start) => (flags === '' ? start : `kubectl ${flags} `))
    // Some advice already contains the flags.
    .replace(OWN, (start) => (next.includes(given) ? start : `${start}${given}`));
  return readvised(error, led);
}
