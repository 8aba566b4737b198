import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { BufferStatus, FacetCounts, FromWorker, Problem, ViewPlan } from '../protocol/protocol.ts';
import { conditionOf } from '../search/source-condition.ts';
import type { HeldLog } from '../store/held-log.ts';

/** One frame of a screen, ms. */
const STATUS_MS = 16;
/** Counts are costly, so they are sent less often, ms. */
const SUMMARY_MS = 400;

export interface ReporterOptions {
  readonly clock: Clock;
  readonly log: () => HeldLog;
  readonly plan: () => ViewPlan | undefined;
  readonly status: () => BufferStatus;
  /** Costly, so requested only now and then. */
  readonly facets: () => FacetCounts;
  /** Whether the counts sent last belong to other filters or another range. */
  readonly isSummaryOld: () => boolean;
  readonly send: (message: FromWorker) => void;
}

/** Reports changes to the page, at most once per frame; sends nothing while nothing changes. */
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
    // Counts must never appear beside filters that they do not belong to.
    if (isSummaryOld()) this.#sendFacets();
    const problems = distinct(log().problems.values());
    const text = JSON.stringify(problems);
    if (text !== this.#problemsSent) {
      this.#problemsSent = text;
      send({ type: 'problem', problems });
    }
    send({ type: 'status', status: status() });
  }

  /** Sends sources before the first status that counts their lines, because rows refer to sources by index. */
  #sendSources(): void {
    const { log, plan, send } = this.#options;
    const held = log();
    const { sources, table } = held.store;
    const wanted = plan()?.sources ?? [];
    // Entries of another log start at another id; counts only come with the summary.
    const conditions = [held.unanswered, held.late, held.away, held.problems].map((each) =>
      [...each.keys()].join(' '),
    );
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
    // The rates drop to zero when lines stop arriving: this must be sent too.
    const { receivedPerSecond, errorsPerSecond } = status();
    if (receivedPerSecond + errorsPerSecond > 0) this.changed();
    else this.#sendStatus();
  }

  #sendFacets(): void {
    const { log, send, facets } = this.#options;
    log().view.refresh();
    send({ type: 'facets', facets: facets() });
  }
}

/**
 * Merges the same failure of several containers into one problem. A cluster that is away breaks their connections one
 * after the other and in several ways: the plainest error represents all. A permission missing for many pods is one
 * missing permission.
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

/** A text that is equal for problems that are reported as one. */
function sameness({ isOutage, isRetried = false, error }: Problem): string {
  if (isOutage === true) return OUTAGE;
  if (error.denied === undefined) return JSON.stringify([error, isRetried]);
  const { verb, resource, namespace } = error.denied;
  return JSON.stringify([verb, resource, namespace]);
}

const OUTAGE = 'outage';
