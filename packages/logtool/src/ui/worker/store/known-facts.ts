import { compareFacts, type Fact, isAtLeast, isStart } from '../../../domain/facts/fact.ts';
import { factLabel } from '../../../messages/facts.ts';
import type { FactChoice, FactLabel } from '../session/protocol.ts';
import type { FactEntry } from './line-store.ts';

/** Facts that a tab holds; of more, the earliest go. */
const MAX_FACTS = 10_000;

/** The facts that are known of what is open, apart from its lines. */
export class KnownFacts {
  readonly #byId = new Map<string, { readonly fact: Fact; readonly revision: number }>();
  /** Ids that this reading gave; undefined: all are kept. */
  #given: Set<string> | undefined;
  #revisions = 0;
  /** Whether earlier facts were known and let go. */
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

  /** Facts about other sources are read from now on: what is not given again goes when all is read. */
  beginAnew(): void {
    this.#given = new Set();
  }

  /** All was read. */
  read(): void {
    const given = this.#given;
    this.#given = undefined;
    if (given === undefined) return;
    for (const id of this.#byId.keys()) if (!given.has(id)) this.#byId.delete(id);
    this.version++;
  }

  /** The rows of the facts that are chosen, in the order of facts. */
  rows(choice: FactChoice): readonly FactEntry[] {
    const hidden = new Set(choice.hiddenLabels);
    const chosen = [...this.#byId.values()].filter(
      ({ fact }) => isChosen(fact, choice.show) && !hidden.has(factLabel(fact)),
    );
    chosen.sort((a, b) => compareFacts(a.fact, b.fact));
    return withRestarts(chosen);
  }

  /** The labels of the facts that the choice lets through, hidden ones too: the gravest first. */
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
    const all = [...this.#byId.values()].sort((a, b) => compareFacts(a.fact, b.fact));
    for (const { fact } of all.slice(0, all.length - MAX_FACTS)) this.#byId.delete(fact.id);
    this.isCut = true;
  }
}

/** Beside what went wrong: what a run that ended leads to, and what may have led to it. */
const NOTABLE: ReadonlySet<Fact['kind']> = new Set(['exited', 'restarted', 'node-rebooted']);

function isChosen(fact: Fact, show: FactChoice['show']): boolean {
  if (show !== 'notable') return show === 'all';
  // The first revision replaces nothing: it is the workload's beginning.
  const isRollout = fact.kind === 'rollout' && fact.data.revision > 1;
  return isAtLeast(fact, 'warning') || isRollout || NOTABLE.has(fact.kind);
}

interface KnownFact {
  readonly fact: Fact;
  readonly revision: number;
}

/** A restart is reported in the row of the exit that led to it. */
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
