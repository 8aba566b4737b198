import { LogtoolError } from '../../../domain/errors.ts';
import type { ActionContext, ChartActionContext } from '../../../helm/actions/action.ts';
import { clusterStorage } from '../../../helm/release/cluster-storage.ts';
import { driverFrom } from '../../../helm/release/driver.ts';
import { startChartThread } from '../../../helm/render/start-chart-thread.ts';
import { describeKubeError } from '../../../kube/failure/describe.ts';
import type { CliContext } from '../../context.ts';
import { errorText } from '../../output/error-text.ts';
import { StatusLine } from '../../output/status-line.ts';
import type { ClusterPlan } from '../../plan/cluster-plan.ts';
import { connect } from '../connect.ts';
import { adviseKubectl } from './advise-kubectl.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { chartThreadCode } from './thread-code.ts';

/**
 * Runs an action on the cluster that was asked for, with its releases where HELM_DRIVER says they are. What the
 * cluster answers is put into words; the connection is closed at the end. A terminal shows what is waited for: the
 * context that `act` is given writes around that line.
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
  const reporter = createReporter(context.stderr, status);
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
      },
      reporter,
      context,
    );
  } catch (error) {
    if (!context.signal.aborted)
      throw adviseKubectl(describeKubeError(error, client.cluster), plan.connection);
    // An interruption says nothing else, but what has become of a release has to be known.
    if (error instanceof LogtoolError && /^release-(interrupted|unrecorded)$/.test(error.code)) {
      await reporter.end();
      await context.stderr.write(errorText(error));
    }
    throw error;
  } finally {
    await reporter.end();
    client.close();
  }
}

/** As `onCluster`, for an action that makes a revision out of a chart. */
export async function onClusterWithCharts<T>(
  context: CliContext,
  plan: ClusterPlan,
  act: (action: ChartActionContext, reporter: Reporter) => Promise<T>,
): Promise<T> {
  // First of all: it starts while the cluster is connected to.
  const code = chartThreadCode(context);
  const charts = startChartThread({
    clock: context.clock,
    signal: context.signal,
    compiled: code === undefined ? undefined : { known: code.read() },
  });
  try {
    const result = await onCluster(context, plan, (action, reporter) => {
      // Asked for while the chart is read; whoever needs it waits for the same answer, or is told why there is none.
      action.client.discover({ signal: action.signal }).catch(() => undefined);
      return act({ ...action, charts }, reporter);
    });
    // What failed has not run the code that the next run needs.
    const compiled = await charts.compiled();
    if (compiled !== undefined) code?.write(compiled);
    return result;
  } finally {
    charts.close();
  }
}
