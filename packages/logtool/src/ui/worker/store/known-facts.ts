import { compareFacts, type Fact, isAtLeast, isNotable, isStart } from '../../../domain/facts/fact.ts';
import { factLabel } from '../../../messages/facts.ts';
import type { FactChoice, FactLabel } from '../protocol/protocol.ts';
import type { FactEntry } from './line-store.ts';

/**
 * Maximum facts that a tab holds. Beyond that it evicts the earliest Events: there are few other facts, such as exits and
 * rollouts, and only they have data.
 */
const MAX_FACTS = 10_000;

/** The known facts about the open view, without its lines. */
export class KnownFacts {
  readonly #byId = new Map<string, { readonly fact: Fact; readonly revision: number }>();
  /** Ids that the current reading delivered; undefined: all are kept. */
  #given: Set<string> | undefined;
  #revisions = 0;
  /** Whether earlier known facts were evicted. */
  isCut = false;
  /** Changes with the facts. */
  version = 0;

  take(facts: readonly Fact[]): void {
    for (const fact of facts) {
      this.#byId.set(fact.id, { fact, revision: ++this.#revisions });
      this.#given?.add(fact.id);
    }
    if (this.#byId.size > MAX_FACTS) this.#letGo();
    this.version++;
  }

  /** Starts a reading of other sources: facts that it does not deliver are dropped at its end. */
  beginAnew(): void {
    this.#given = new Set();
  }

  /** Ends the reading. */
  read(): void {
    const given = this.#given;
    this.#given = undefined;
    if (given === undefined) return;
    for (const id of this.#byId.keys()) if (!given.has(id)) this.#byId.delete(id);
    this.version++;
  }

  /** The rows of the chosen facts, in fact order. */
  rows(choice: FactChoice): readonly FactEntry[] {
    const hidden = new Set(choice.hiddenLabels);
    const chosen = [...this.#byId.values()].filter(
      ({ fact }) => isChosen(fact, choice.show) && !hidden.has(factLabel(fact)),
    );
    chosen.sort((a, b) => compareFacts(a.fact, b.fact));
    return withRestarts(chosen);
  }

  /** The labels of the facts that the choice accepts, including hidden labels, the most severe first. */
  labels({ show }: FactChoice): readonly FactLabel[] {
    const labels = new Map<string, FactLabel>();
    for (const { fact } of this.#byId.values()) {
      if (!isChosen(fact, show)) continue;
      const label = factLabel(fact);
      const before = labels.get(label);
      const severity =
        before !== undefined && isAtLeast(before, fact.severity) ? before.severity : fact.severity;
      labels.set(label, { label, severity, count: (before?.count ?? 0) + 1 });
    }
    return [...labels.values()].sort((a, b) => {
      if (a.severity !== b.severity) return isAtLeast(a, b.severity) ? -1 : 1;
      return b.count - a.count || (a.label < b.label ? -1 : 1);
    });
  }

  #letGo(): void {
    const rank = ({ kind }: Fact) => (kind === 'event' ? 0 : 1);
    const all = [...this.#byId.values()].sort(
      (a, b) => rank(a.fact) - rank(b.fact) || compareFacts(a.fact, b.fact),
    );
    for (const { fact } of all.slice(0, all.length - MAX_FACTS)) this.#byId.delete(fact.id);
    this.isCut = true;
  }
}

function isChosen(fact: Fact, show: FactChoice['show']): boolean {
  return show === 'notable' ? isNotable(fact) : show === 'all';
}

interface KnownFact {
  readonly fact: Fact;
  readonly revision: number;
}

/** Reports each restart in the row of the exit that led to it. */
function withRestarts(facts: readonly KnownFact[]): readonly FactEntry[] {
  const exits = new Set(facts.flatMap(({ fact }) => (fact.kind === 'exited' ? fact.id : [])));
  const restarts = new Map<string, KnownFact>();
  for (const known of facts) {
    const { cause, kind } = known.fact;
    if (isStart(kind) && cause !== undefined && exits.has(cause)) restarts.set(cause, known);
  }
  return facts.flatMap(({ fact, revision }) => {
    if (isStart(fact.kind) && fact.cause !== undefined && exits.has(fact.cause)) return [];
    const restart = restarts.get(fact.id);
    return { fact, restart: restart?.fact, revision: Math.max(revision, restart?.revision ?? 0) };
  });
}
