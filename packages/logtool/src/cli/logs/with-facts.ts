import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Fact, isAtLeast } from '../../domain/facts/fact.ts';
import { FactMerge } from '../../domain/facts/merge-facts.ts';
import type { Frame } from '../../domain/frame.ts';
import { asksForNone, type Window } from '../../domain/window.ts';
import { FactFeed, type FactFrame } from '../../happenings/fact-feed.ts';
import { areAllPods } from '../../happenings/scaled-away.ts';
import type { CliContext } from '../context.ts';
import { FactFormat } from '../output/facts/fact-format.ts';
import { PrintedFacts } from '../output/facts/printed-facts.ts';
import type { PrintedFrame } from '../output/limit-bytes.ts';
import { timeOf } from '../plan/logs/bounds.ts';
import type { LogsPlan } from '../plan/logs/logs-plan.ts';
import { LiveFacts } from './live-facts.ts';

/** Creates the rows of facts; loaded only if the user asks for facts. */
export function openFormat(plan: LogsPlan, context: CliContext): Promise<FactFormat> {
  return FactFormat.create(plan.output, context);
}

/** Opens the facts of the window, and with --follow also later ones. */
export function openFeed(
  { engine: { window }, source }: LogsPlan,
  client: KubeClient,
  { clock, signal }: Pick<CliContext, 'clock' | 'signal'>,
): FactFeed {
  const { follow, from, to } = window;
  const range = { from: from && timeOf(from), to: to && timeOf(to) };
  const hasAllPods = areAllPods(source);
  return new FactFeed({ client, signal }, { follow, ...range, hasAllPods, fold: { clock } });
}

/** Merges the facts into the frames of the engine. */
export function openFrames(
  frames: AsyncIterable<PrintedFrame>,
  feed: FactFeed | undefined,
  { engine: { window }, events }: LogsPlan,
  { clock }: Pick<CliContext, 'clock'>,
): AsyncIterable<PrintedFrame> {
  return feed === undefined ? frames : withFacts(frames, feed.frames(), { window, events, clock });
}

/** Records that a tail holds for facts, because it knows its beginning only at its end. */
const MAX_HELD = 50_000;
const MIN_HELD = 5_000;

interface Options {
  readonly window: Window;
  readonly events: LogsPlan['events'];
  readonly clock: Clock;
}

type BacklogOptions = Options & { readonly printed: PrintedFacts };

type FactFrames = AsyncIterator<FactFrame, void>;
type Frames = AsyncIterator<PrintedFrame, void>;

/**
 * Merges the facts of the window into the frames of a view; a follow adds later facts as they arrive. The
 * facts read before the first record delay the backlog, because nothing else can tell what precedes it.
 */
export async function* withFacts(
  frames: AsyncIterable<PrintedFrame>,
  feed: AsyncIterable<FactFrame>,
  options: Options,
): AsyncGenerator<PrintedFrame, void, undefined> {
  const records: Frames = frames[Symbol.asyncIterator]();
  const facts: FactFrames = feed[Symbol.asyncIterator]();
  try {
    const printed = new PrintedFacts();
    const isLive = yield* backlog(records, facts, { ...options, printed });
    if (!isLive) return;
    const isShown = isWanted(options);
    const isFresh = (fact: Fact) => isShown(fact) && printed.add(fact);
    yield* new LiveFacts(records, facts, options.clock, isFresh).frames();
  } finally {
    // Either may be waiting for its next frame. The end of the view ends that wait, so this does not wait for
    // it.
    letGo(records);
    letGo(facts);
  }
}

function letGo(frames: AsyncIterator<unknown, void>): void {
  frames.return?.().catch(() => undefined);
}

function isWanted({ events }: Pick<Options, 'events'>): (fact: Fact) => boolean {
  return events === 'all' ? () => true : (fact) => isAtLeast(fact, 'warning');
}

/** Yields up to the end of the window. Returns whether the view continues live. */
async function* backlog(
  records: Frames,
  facts: FactFrames,
  options: BacklogOptions,
): AsyncGenerator<PrintedFrame, boolean, undefined> {
  const early = readEarly(facts, options);
  // Awaited below, unless the view ends first.
  early.catch(() => undefined);
  let merge: FactMerge | undefined;
  for (let next = await records.next(); next.done !== true; next = await records.next()) {
    const frame = next.value;
    if (frame.type !== 'records' && frame.type !== 'end') {
      yield frame;
      continue;
    }
    if (merge === undefined) {
      const { notices, known } = await early;
      yield* notices;
      merge = new FactMerge(known, heldOf(options.window));
    }
    if (frame.type === 'records') {
      yield* merge.push(frame.records);
      continue;
    }
    yield* merge.end(cutOf(frame, options.window));
    yield frame;
    if (frame.live) return true;
  }
  return false;
}

interface EarlyFacts {
  readonly notices: readonly Extract<PrintedFrame, { readonly type: 'notice' }>[];
  readonly known: readonly Fact[];
}

/** Reads all facts that exist now. */
async function readEarly(facts: FactFrames, options: BacklogOptions): Promise<EarlyFacts> {
  const notices: EarlyFacts['notices'][number][] = [];
  const known: Fact[] = [];
  for (let next = await facts.next(); next.done !== true; next = await facts.next()) {
    const frame = next.value;
    if (frame.type === 'read') break;
    if (frame.type === 'notice') notices.push(frame);
    else known.push(...frame.facts.filter(isWanted(options)));
  }
  // Those that the window leaves out are past as well.
  for (const fact of known) options.printed.add(fact);
  return { notices, known: asksForNone(options.window) ? [] : known };
}

function heldOf({ selection }: Window): number {
  return selection.kind === 'tail' ? Math.min(MAX_HELD, Math.max(MIN_HELD, selection.count)) : MIN_HELD;
}

/** Returns on which sides the count of a window left records out. */
function cutOf(
  { cut, prev, next }: Extract<Frame, { readonly type: 'end' }>,
  { selection }: Window,
): { readonly before: boolean; readonly after: boolean } {
  return {
    before: selection.kind === 'tail' && (cut || prev !== undefined),
    after: selection.kind === 'head' && (cut || next !== undefined),
  };
}
