import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact } from '../../../domain/facts/fact.ts';

/** Facts to remember: a follow may last for weeks. */
const MAX_KNOWN = 50_000;

/**
 * The facts that were printed. The cluster reports most facts several times, later with a more precise time or with
 * less detail: a row that is printed cannot be replaced, so only what happened since is printed again.
 */
export class PrintedFacts {
  readonly #known = new Map<string, Fact>();

  /** Remembers a fact; returns whether it reports something that was not printed. */
  add(fact: Fact): boolean {
    const { id } = fact;
    const known = this.#known.get(id);
    if (known !== undefined && !hasHappened(known, fact)) return false;
    this.#known.delete(id);
    this.#known.set(id, fact);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return true;
  }
}

/**
 * Whether a series continued, or a condition got another reason or message. The end of a rollout is no row of its own:
 * the rollout's is at its beginning, and the Deployment's condition reports the end.
 */
function hasHappened(known: Fact, fact: Fact): boolean {
  if (fact.count > known.count) return true;
  if (fact.until !== undefined && compareTimestamps(known.until ?? known.at, fact.until) < 0) return true;
  if (known.reason !== fact.reason) return true;
  return known.message !== '' && known.message !== fact.message;
}
