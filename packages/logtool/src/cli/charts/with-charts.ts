import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import type { ChartWork } from '@logtool/helm/src/render/chart-work.ts';
import { type ChartThread, startChartThread } from '@logtool/helm/src/render/start-chart-thread.ts';
import type { CompiledScript } from '@logtool/kube/src/thread/start-thread.ts';
import { threadScript } from '@logtool/kube/src/thread/thread-scripts.ts';
import { cacheDirectory } from '../cache/cache-directory.ts';
import { openCodeCache } from '../cache/code-cache.ts';
import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';

/** Stores the code that V8 compiled from a thread's script, for the next run. */
interface ThreadCode {
  read(): CompiledScript | undefined;
  write(script: CompiledScript): void;
}

/** Only scripts whose name identifies their content are kept. */
const NAMED_BY_CONTENT = /^(\w+-[0-9A-F]{8})\.cjs$/;

/** Work on charts for a command. */
export interface CommandCharts extends ChartWork {
  /** Loads the bundled chart, which has the program's own permissions. */
  loadBundled(path: string): Promise<Chart>;
  /** Starts the thread early, because somebody else's chart follows. */
  expectForeign(): void;
}

/**
 * Runs a command that works on charts. A thread works on foreign charts; if --chart is given, it starts while
 * the rest of the command loads. This thread works on the bundled chart, which saves starting the other.
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
    // A failed command has not run the code that the next run needs.
    const script = await thread?.compiled();
    if (script !== undefined) code?.write(script);
    return result;
  } finally {
    thread?.close();
  }
}

/** Calls `start` once, for the first chart that is not bundled. */
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

/**
 * Returns the kept compiled code of the chart thread, next to that of the program (`start/main.ts`).
 * Undefined if nothing is kept: Bun compiles differently, and `NODE_DISABLE_COMPILE_CACHE` turns it off.
 */
export function chartThreadCode(env: CliContext['env']): ThreadCode | undefined {
  const name = NAMED_BY_CONTENT.exec(basename(threadScript('chart')))?.[1];
  const directory = cacheDirectory(env, homedir);
  const isOff = Boolean(env.NODE_DISABLE_COMPILE_CACHE) || process.versions.bun !== undefined;
  if (name === undefined || directory === undefined || isOff) return undefined;
  const program = `${name}-${process.version}-${process.arch}`;
  const cache = openCodeCache(join(directory, 'code'), program, 'thread');
  return {
    read: () => cache.read()?.get(name),
    write: ({ text, code }) =>
      cache.write(new Map([[name, { text: Buffer.from(text), code: Buffer.from(code) }]])),
  };
}
