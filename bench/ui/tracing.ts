import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

const FRAME_US = 1_000_000 / 60;

/**
 * Runs something and returns the longest task of the page's main thread in each sixtieth of a second that has one, in
 * ms. Most tasks are tiny, so a percentile over all of them would mean nothing.
 */
export async function tasksOf(browser: Browser, page: Page, run: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await run();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return longestPerFrame(trace.traceEvents);
}

function longestPerFrame(events: readonly TraceEvent[]): number[] {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const byThread = new Map<string, TraceEvent[]>();
  for (const event of events) {
    const thread = `${event.pid} ${event.tid}`;
    if (event.ph !== 'X' || !event.name.endsWith('RunTask') || !mains.has(thread)) continue;
    const tasks = byThread.get(thread);
    if (tasks === undefined) byThread.set(thread, [event]);
    else tasks.push(event);
  }
  // Of several renderers, the busiest one is the page's.
  const tasks = [...byThread.values()].sort((a, b) => total(b) - total(a))[0] ?? [];
  const frames = new Map<number, number>();
  for (const { ts, dur = 0 } of tasks) {
    const frame = Math.floor(ts / FRAME_US);
    frames.set(frame, Math.max(frames.get(frame) ?? 0, dur / 1000));
  }
  return [...frames.values()];
}

function total(events: readonly TraceEvent[]): number {
  return events.reduce((sum, { dur = 0 }) => sum + dur, 0);
}
