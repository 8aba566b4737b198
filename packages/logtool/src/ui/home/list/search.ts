import type { Workload } from '../../../contract/workload.ts';

/** Lower-case text of each row, computed once: each keystroke searches 10,000 rows. */
const texts = new WeakMap<Workload, string>();

/** Returns the words of a query; a row must contain all of them. */
export function searchTerms(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** A term matches a kind by its prefix. Shorter terms do not: single letters match every kind. */
const KIND_CHARS = 3;

/** Whether each term is part of `namespace/name` or is a prefix of the kind. */
export function matches(workload: Workload, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  let text = texts.get(workload);
  if (text === undefined) {
    text = `${workload.namespace}/${workload.name}`.toLowerCase();
    texts.set(workload, text);
  }
  return terms.every((term) => text.includes(term) || beginsKind(workload.kindName, term));
}

/** Returns the terms that are a prefix of the kind, to highlight them in it. */
export function kindTerms(kindName: string, terms: readonly string[]): readonly string[] {
  return terms.filter((term) => beginsKind(kindName, term));
}

function beginsKind(kindName: string, term: string): boolean {
  return term.length >= KIND_CHARS && `${kindName}s`.toLowerCase().startsWith(term);
}

/** Returns [start, end) of the parts of a text that terms match, in order, overlapping parts merged. */
export function highlights(text: string, terms: readonly string[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  const lower = text.toLowerCase();
  // Some letters are longer in lower case, which shifts offsets; such texts have no highlights.
  if (lower.length !== text.length) return [];
  for (const term of terms) {
    for (let at = lower.indexOf(term); at !== -1; at = lower.indexOf(term, at + term.length)) {
      found.push([at, at + term.length]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const joined: [number, number][] = [];
  for (const [start, end] of found) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
