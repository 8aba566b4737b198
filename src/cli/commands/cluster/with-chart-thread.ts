import { type ChartThread, startChartThread } from '../../../helm/render/start-chart-thread.ts';
import type { CliContext } from '../../context.ts';
import { chartThreadCode } from './thread-code.ts';

/**
 * Runs a command that works on charts with the thread that does it, which starts while the rest of the command loads.
 */
export async function withChartThread<T>(
  { env, clock, signal }: CliContext,
  act: (charts: ChartThread) => Promise<T>,
): Promise<T> {
  const code = chartThreadCode(env);
  const compiled = code === undefined ? undefined : { known: code.read() };
  const charts = startChartThread({ clock, signal, compiled });
  try {
    const result = await act(charts);
    // What failed has not run the code that the next run needs.
    const script = await charts.compiled();
    if (script !== undefined) code?.write(script);
    return result;
  } finally {
    charts.close();
  }
}
