import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { BufferStatus, FacetCounts, FromWorker, Problem, ViewPlan } from './protocol.ts';
import { conditionOf } from './source-condition.ts';

/** One frame of a screen. */
const STATUS_MS = 16;
/** Counts that are costly are sent less often. */
const SUMMARY_MS = 400;

export interface ReporterOptions {
  readonly clock: Clock;
  readonly log: () => HeldLog;
  readonly plan: () => ViewPlan | undefined;
  readonly status: () => BufferStatus;
  /** Costly: asked for now and then. */
  readonly facets: () => FacetCounts;
  /** The counts that were sent last are of other filters or another range. */
  readonly isSummaryOld: () => boolean;
  readonly send: (message: FromWorker) => void;
}

/** Reports to the page what changed, at most once a frame, and nothing while nothing does. */
export class Reporter {
  readonly #options: ReporterOptions;
  #isStatusDue = false;
  #isSummaryDue = false;
  #isClosed = false;
  #sourcesSent = '';
  #problemsSent = '';

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  close(): void {
    this.#isClosed = true;
  }

  changed(): void {
    const { clock } = this.#options;
    if (!this.#isStatusDue) {
      this.#isStatusDue = true;
      clock.after(STATUS_MS, () => this.#sendStatus());
    }
    if (!this.#isSummaryDue) {
      this.#isSummaryDue = true;
      clock.after(SUMMARY_MS, () => this.#sendSummary());
    }
  }

  #sendStatus(): void {
    this.#isStatusDue = false;
    if (this.#isClosed) return;
    const { log, send, status, isSummaryOld } = this.#options;
    this.#sendSources();
    // No count stands beside filters that it is not of.
    if (isSummaryOld()) this.#sendFacets();
    const problems = distinct(log().problems.values());
    const text = JSON.stringify(problems);
    if (text !== this.#problemsSent) {
      this.#problemsSent = text;
      send({ type: 'problem', problems });
    }
    send({ type: 'status', status: status() });
  }

  /** Rows name sources by their place: a source is sent before the first status that counts its lines. */
  #sendSources(): void {
    const { log, plan, send } = this.#options;
    const held = log();
    const { sources, table } = held.store;
    const wanted = plan()?.sources ?? [];
    // Entries of another log begin at another id; only counts come with the summary.
    const conditions = [held.unanswered, held.away, held.problems].map((each) => [...each.keys()].join(' '));
    const known = `${table.firstId} ${sources.version} ${wanted.join(' ')} ${conditions.join(' ')}`;
    if (known === this.#sourcesSent) return;
    this.#sourcesSent = known;
    const isWanted = new Set(wanted);
    const list = sources.list(
      ({ wire }) => wire.arguments.some((argument) => isWanted.has(argument)),
      (source) => conditionOf(held, source),
    );
    send({ type: 'sources', sources: list });
  }

  #sendSummary(): void {
    this.#isSummaryDue = false;
    if (this.#isClosed) return;
    const { log, status } = this.#options;
    log().store.sources.version++;
    this.#sendFacets();
    // The rate falls to nothing when lines stop coming: that is sent too.
    if (status().receivedPerSecond > 0) this.changed();
    else this.#sendStatus();
  }

  #sendFacets(): void {
    const { log, send, facets } = this.#options;
    log().view.refresh();
    send({ type: 'facets', facets: facets() });
  }
}

/**
 * The same failure of several containers is one problem. A cluster that is away breaks their connections
 * one after the other and in more than one way: the plainest word for it stands for all. A right that is missing for
 * many pods is one missing right.
 */
export function distinct(problems: Iterable<Problem>): Problem[] {
  const byText = new Map<string, Problem>();
  for (const problem of problems) {
    const text = sameness(problem);
    const before = byText.get(text);
    if (text === OUTAGE) {
      const isPlainer = before?.error.code === 'connection-lost';
      if (before === undefined || isPlainer) byText.set(text, { ...problem, key: OUTAGE });
    } else if (before === undefined) byText.set(text, problem);
    else if (before.error.denied?.name !== problem.error.denied?.name)
      byText.set(text, { ...before, others: (before.others ?? 0) + 1 });
  }
  return [...byText.values()];
}

/** What is the same in problems that are reported as one. */
function sameness({ isOutage, isRetried = false, error }: Problem): string {
  if (isOutage === true) return OUTAGE;
  if (error.denied === undefined) return JSON.stringify([error, isRetried]);
  const { verb, resource, namespace } = error.denied;
  return JSON.stringify([verb, resource, namespace]);
}

const OUTAGE = 'outage';
