import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import type { ChartWork } from '@logtool/helm/src/render/chart-work.ts';
import { type ChartThread, startChartThread } from '@logtool/helm/src/render/start-chart-thread.ts';
import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { chartThreadCode } from './thread-code.ts';

/** Work on charts for a command. */
export interface CommandCharts extends ChartWork {
  /** As `load`, for the bundled chart: it has the program's own permissions. */
  loadBundled(path: string): Promise<Chart>;
  /** A chart of somebody else comes soon: what will work on it may start. */
  expectForeign(): void;
}

/**
 * Runs a command that works on charts. Those of others are worked on in a thread, which starts while the rest of the
 * command loads where one is named; the bundled chart is worked on here, which saves the thread.
 */
export async function withCharts<T>(
  { env, clock, signal }: CliContext,
  raw: RawArguments,
  act: (charts: CommandCharts) => Promise<T>,
): Promise<T> {
  const code = chartThreadCode(env);
  let thread: ChartThread | undefined;
  const charts = chartsOnDemand(() => {
    thread = startChartThread({ clock, signal, compiled: code && { known: code.read() } });
    return thread;
  });
  if (raw.flags.has('chart')) charts.expectForeign();
  try {
    const result = await act(charts);
    // What failed has not run the code that the next run needs.
    const script = await thread?.compiled();
    if (script !== undefined) code?.write(script);
    return result;
  } finally {
    thread?.close();
  }
}

/** `start` is called once, for the first chart that is not bundled. */
export function chartsOnDemand(start: () => ChartWork): CommandCharts {
  const bundled = new WeakSet<Chart>();
  const inProcess = async () => {
    const { CHARTS_IN_PROCESS } = await import('@logtool/helm/src/render/charts-in-process.ts');
    return CHARTS_IN_PROCESS;
  };
  let started: ChartWork | undefined;
  const foreign = () => {
    started ??= start();
    return started;
  };
  return {
    expectForeign: () => void foreign(),
    async loadBundled(path) {
      const chart = await (await inProcess()).load(path);
      bundled.add(chart);
      return chart;
    },
    load: (path) => foreign().load(path),
    unpack: (archive) => foreign().unpack(archive),
    readObjects: (manifest) => foreign().readObjects(manifest),
    render: async (input, lookup) =>
      (bundled.has(input.chart) ? await inProcess() : foreign()).render(input, lookup),
  };
}
