import { LEVELS } from '../../domain/filter.ts';
import type { SearchFault } from '../worker/session/protocol.ts';

/** Why a search cannot be read, beside its field. */
export function searchFaultText(fault: SearchFault): string {
  switch (fault.code) {
    case 'pattern':
      return fault.why;
    case 'unknown-level':
      return `no level ${fault.value.slice(0, 40)}; did you mean ${nearestLevel(fault.value)}?`;
  }
}

/** The level with the most letters in common with what was typed, in their order. */
function nearestLevel(typed: string): string {
  const common = (level: string) => commonLetters(level, typed.toLowerCase());
  return [...LEVELS, 'none'].reduce((best, level) => (common(level) > common(best) ? level : best));
}

/** Length of the longest common subsequence (https://en.wikipedia.org/wiki/Longest_common_subsequence). */
function commonLetters(a: string, b: string): number {
  let lengths = Array.from({ length: b.length + 1 }, () => 0);
  for (const letter of a) {
    const before = lengths;
    lengths = [0];
    for (let at = 0; at < b.length; at++) {
      const same = letter === b[at] ? (before[at] ?? 0) + 1 : 0;
      lengths.push(Math.max(same, before[at + 1] ?? 0, lengths[at] ?? 0));
    }
  }
  return lengths.at(-1) ?? 0;
}
