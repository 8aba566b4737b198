import type { KubeClient } from '@logtool/kube/src/client.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { timestampFromMs, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { openBackend } from '../../backend/open-backend.ts';
import { isLost } from '../../domain/coverage/lost.ts';
import { BUCKET_WIDTHS_MS, type ScanFrame } from '../../domain/coverage/scan.ts';
import { isFiltering } from '../../domain/filter.ts';
import type { OutputStream } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { incompleteLine, lostLines } from '../messages/counts.ts';
import { countText } from '../output/counts/count-text.ts';
import { LogCounts } from '../output/counts/log-counts.ts';
import type { CountPlan, LogsPlan } from '../plan/logs/logs-plan.ts';
import type { LogScreen } from './log-screen.ts';
import type { LogsServices } from './logs-services.ts';
import { openLogs } from './run-logs.ts';

/** One screen: with more buckets, people see no shape. */
const MAX_BUCKETS = 60;

/**
 * Reads the whole range and prints the number of records (or lines) by time and level, instead of the
 * records.
 */
export async function countLogs(
  screen: LogScreen,
  plan: LogsPlan,
  count: CountPlan,
  services: Pick<LogsServices, 'resolve' | 'scan'>,
  connecting: Promise<KubeClient>,
): Promise<ExitCode> {
  const { context } = screen;
  const { filter } = plan.engine;
  const shown = {
    ...plan.output,
    filtered: isFiltering(filter),
    noun: filter.wholeRecords === true ? 'records' : 'lines',
  } as const;
  const counts = new LogCounts(count.range);
  const opened = await openLogs(screen, plan, services, connecting);
  const { client, printer, signal, events } = opened;
  try {
    const backend = await openBackend(plan, client, context.clock);
    const frames = await services.scan({ client, clock: context.clock, signal, backend }, events, {
      range: count.range,
      previous: plan.engine.window.previous,
      filter,
      bucketMs: count.bucketMs ?? widthFor(count, context.clock.now()),
      hits: undefined,
      budget: { bytes: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY },
      maxLogRequests: plan.engine.maxLogRequests,
    });
    for await (const frame of frames) {
      context.signal.throwIfAborted();
      counts.take(frame);
      if (isReported(frame) && !isLostFrame(frame)) await printer.print(frame);
    }
    context.signal.throwIfAborted();
    if (count.bucketMs === undefined) counts.widenTo(MAX_BUCKETS);
    if (counts.records === 0) printer.seeNone();
    await printer.leave();
    // Without anything read, a total of 0 would be a claim about logs that nobody knows.
    if (counts.hasRead || printer.failures === 0) await context.stdout.write(countText(counts, shown));
    await printer.reportUnstarted();
    await reportMissing(context.stderr, counts);
  } finally {
    opened.close();
    await printer.leave();
  }
  const isVain = plan.failEmpty && counts.matches === 0;
  return printer.failures === 0 && !isVain ? EXIT.done : EXIT.failure;
}

/** Names what the counts lack. */
async function reportMissing(stderr: OutputStream, { incomplete, lost }: LogCounts): Promise<void> {
  const lines = incomplete.map(({ target, counted }) => incompleteLine(target, counted));
  for (const line of [...lines, ...lostLines(lost)]) await stderr.write(`${sanitizeText(line)}\n`);
}

function isReported(
  frame: ScanFrame,
): frame is Extract<ScanFrame, { readonly type: 'source' | 'gap' | 'notice' }> {
  return frame.type === 'source' || frame.type === 'gap' || frame.type === 'notice';
}

/** Whether a frame reports what cannot be counted any more; that belongs to the counts. */
function isLostFrame(frame: ScanFrame): boolean {
  return frame.type === 'gap' && isLost(frame.cause);
}

/**
 * Returns the narrowest width with which one screen covers the range. Without a beginning the first record
 * decides: see LogCounts.
 */
function widthFor({ range: { from, to } }: CountPlan, nowMs: number): number {
  const fromMs = from === undefined ? undefined : timestampToMs(from);
  const spanMs = fromMs === undefined ? 0 : timestampToMs(to ?? timestampFromMs(nowMs)) - fromMs;
  const fits = (width: number) => width >= 1000 && width * MAX_BUCKETS >= spanMs;
  return BUCKET_WIDTHS_MS.find(fits) ?? BUCKET_WIDTHS_MS.at(-1)!;
}
