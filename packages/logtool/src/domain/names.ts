/** The fault in a name; `index` is its offset in the name (the name's length: after the end). */
export type NameFault = NameProblem & { readonly index: number };

type NameProblem =
  | { readonly problem: 'no-name' }
  | { readonly problem: 'glob' }
  | { readonly problem: 'capital' }
  | { readonly problem: 'character'; readonly character: string }
  | { readonly problem: 'dot' }
  | { readonly problem: 'hyphen-before-dot' }
  /** A name cannot begin or end with this character. */
  | { readonly problem: 'begins-with' | 'ends-with'; readonly character: '-' | '.' }
  /** `limit`: the maximum number of characters. */
  | { readonly problem: 'too-long'; readonly limit: number };

/**
 * - `label`: RFC 1123 label, at most 63 characters (namespaces, containers);
 * - `subdomain`: labels joined by dots, at most 253 characters in all (pods, workloads).
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
export type NameRule = 'label' | 'subdomain';

/** Returns the first fault of a name, or undefined if it is valid. With `glob`, `*` may appear anywhere. */
export function findNameFault(
  name: string,
  rule: NameRule,
  options: { readonly glob?: boolean } = {},
): NameFault | undefined {
  const glob = options.glob ?? false;
  if (name === '') return { index: 0, problem: 'no-name' };
  for (let index = 0; index < name.length; index++) {
    const problem = problemAt(name, index, rule, glob);
    if (problem !== undefined) return { ...problem, index };
  }
  const limit = rule === 'label' ? 63 : 253;
  if (name.length > limit) return { index: limit, problem: 'too-long', limit };
  return undefined;
}

const ALPHANUMERIC = /^[a-z0-9]$/;

function problemAt(name: string, index: number, rule: NameRule, glob: boolean): NameProblem | undefined {
  const character = String.fromCodePoint(name.codePointAt(index) ?? 0);
  if (ALPHANUMERIC.test(character)) return undefined;
  if (character === '*') return glob ? undefined : { problem: 'glob' };
  if (/^[A-Z]$/.test(character)) return { problem: 'capital' };
  if (character !== '-' && character !== '.') return { problem: 'character', character };
  if (character === '.' && rule === 'label') return { problem: 'dot' };
  const atEdge = (neighbor: string | undefined) => neighbor === undefined || neighbor === '.';
  if (atEdge(name[index - 1])) return { problem: 'begins-with', character };
  if (character === '-' && name[index + 1] === '.') return { problem: 'hyphen-before-dot' };
  if (name[index + 1] === undefined) return { problem: 'ends-with', character };
  // A dot after a hyphen is reported at the hyphen; atEdge reports a dot after a dot.
  return undefined;
}
