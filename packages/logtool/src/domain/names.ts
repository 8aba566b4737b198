/** What is wrong with a name, and where: `index` is the place in the name (its length: after the end). */
export interface NameFault {
  readonly index: number;
  readonly why: string;
}

/**
 * - `label`: RFC 1123 label, at most 63 characters (namespaces, containers);
 * - `subdomain`: labels joined by dots, at most 253 characters in all (pods, workloads).
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
export type NameRule = 'label' | 'subdomain';

/** The first fault of a name, or undefined when it is fine. With `glob`, `*` may stand anywhere. */
export function findNameFault(
  name: string,
  rule: NameRule,
  options: { readonly glob?: boolean } = {},
): NameFault | undefined {
  const glob = options.glob ?? false;
  if (name === '') return { index: 0, why: 'a name is missing here' };
  for (let index = 0; index < name.length; index++) {
    const why = faultAt(name, index, rule, glob);
    if (why !== undefined) return { index, why };
  }
  const limit = rule === 'label' ? 63 : 253;
  if (name.length > limit) return { index: limit, why: `at most ${limit} characters are allowed` };
  return undefined;
}

const ALPHANUMERIC = /^[a-z0-9]$/;

function faultAt(name: string, index: number, rule: NameRule, glob: boolean): string | undefined {
  const character = String.fromCodePoint(name.codePointAt(index) ?? 0);
  if (ALPHANUMERIC.test(character)) return undefined;
  if (character === '*') return glob ? undefined : '* is not allowed here';
  if (/^[A-Z]$/.test(character)) return 'capital letters are not allowed in Kubernetes names';
  if (character !== '-' && character !== '.') return `${shown(character)} is not allowed in Kubernetes names`;
  if (character === '.' && rule === 'label') return "'.' is not allowed in this name";
  const atEdge = (neighbour: string | undefined) => neighbour === undefined || neighbour === '.';
  if (atEdge(name[index - 1])) return `a name cannot begin with '${character}'`;
  if (character === '-' && name[index + 1] === '.') return "'-' cannot stand before '.'";
  if (name[index + 1] === undefined) return `a name cannot end with '${character}'`;
  // A dot after a hyphen is reported at the hyphen; atEdge reports a dot after a dot.
  return undefined;
}

function shown(character: string): string {
  if (character === ' ') return 'a blank';
  return /^[\p{Cc}\p{Cf}\p{Cs}\p{Z}]$/u.test(character)
    ? `the character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : `'${character}'`;
}
