import { comparePrereleases, compareVersions, parseVersion, type Version, VersionError } from './version.ts';

/** A version range: at least one group must match, with all its terms. */
export interface Constraint {
  readonly groups: readonly ConstraintGroup[];
}

interface ConstraintGroup {
  readonly terms: readonly ConstraintTerm[];
  /** Whether a term names a pre-release; otherwise no pre-release matches. */
  readonly allowsPrerelease: boolean;
}

interface ConstraintTerm {
  readonly operator: Operator;
  readonly version: Version;
  /** The part of the version left open by `x`, `*` or omission. */
  readonly open: 'nothing' | 'patch' | 'minor' | 'all';
}

type Operator = '' | '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^';

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['>=', '>='],
  ['=>', '>='],
  ['<=', '<='],
  ['=<', '<='],
  ['!=', '!='],
  ['~>', '~'],
  ['=', '='],
  ['>', '>'],
  ['<', '<'],
  ['~', '~'],
  ['^', '^'],
]);

const IDENTIFIERS = '[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*';
const NUMBER = '[\\d|xX*]+';
const VERSION = `v?(${NUMBER})(\\.${NUMBER})?(\\.${NUMBER})?(-${IDENTIFIERS})?(\\+${IDENTIFIERS})?`;
const RANGE = new RegExp(`\\s*(${VERSION})\\s+-\\s+(${VERSION})\\s*`, 'g');
const VERSION_HERE = new RegExp(VERSION, 'y');

/** Longer than any range that people write; parsing time grows with the square of the length. */
const LENGTH_LIMIT = 4096;

/**
 * Parses a constraint like Masterminds' semver 3.4, which Helm uses: `^1.2`, `~1`, `>= 1, < 3 || 4.x`, `1.0 - 2.0`.
 * https://github.com/Masterminds/semver#checking-version-constraints
 * @throws VersionError
 */
export function parseConstraint(text: string): Constraint {
  if (text.length > LENGTH_LIMIT) throw new VersionError(`improper constraint: ${text.slice(0, 40)}...`);
  const plain = text.replace(
    RANGE,
    (_range, from: string, ...rest: string[]) => `>= ${from}, <= ${rest[5]} `,
  );
  return { groups: plain.split('||').map(parseGroup) };
}

function parseGroup(text: string): ConstraintGroup {
  const terms: ConstraintTerm[] = [];
  let index = skipSpace(text, 0);
  for (;;) {
    const symbol =
      [text.slice(index, index + 2), text.slice(index, index + 1)].find((one) => OPERATORS.has(one)) ?? '';
    index = skipSpace(text, index + symbol.length);
    VERSION_HERE.lastIndex = index;
    const match = VERSION_HERE.exec(text);
    if (match === null) throw new VersionError(`improper constraint: ${text}`);
    terms.push(parseTerm(OPERATORS.get(symbol) ?? '', match));
    const end = index + match[0].length;
    index = skipSpace(text, end);
    if (index === text.length) break;
    if (text[index] === ',') index = skipSpace(text, index + 1);
    else if (index === end) throw new VersionError(`improper constraint: ${text}`);
  }
  return { terms, allowsPrerelease: terms.some(({ version }) => version.prerelease !== '') };
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (/\s/.test(text[index] ?? '')) index++;
  return index;
}

function parseTerm(operator: Operator, match: RegExpExecArray): ConstraintTerm {
  const [, major = '', minor = '', patch = '', prerelease = ''] = match;
  const isOpen = (number: string) => ['', 'x', 'X', '*'].includes(number.replace('.', ''));
  const open = isOpen(major) ? 'all' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : 'nothing';
  const numbers = {
    all: '0.0.0',
    minor: `${major}.0.0`,
    patch: `${major}${minor}.0`,
    nothing: `${major}${minor}${patch}`,
  };
  try {
    return { operator, version: parseVersion(numbers[open] + prerelease), open };
  } catch (error) {
    throw new VersionError('constraint parser error', { cause: error });
  }
}

/** Whether a version matches a constraint. */
export function satisfies(version: Version, constraint: Constraint): boolean {
  return constraint.groups.some(
    ({ terms, allowsPrerelease }) =>
      (version.prerelease === '' || allowsPrerelease) && terms.every((term) => fits(version, term)),
  );
}

function fits(version: Version, term: ConstraintTerm): boolean {
  const { operator, open } = term;
  const difference = compareVersions(version, term.version);
  switch (operator) {
    case '':
    case '=':
      return open === 'nothing' ? difference === 0 : fitsTilde(version, term, difference);
    case '~':
      return fitsTilde(version, term, difference);
    case '^':
      return difference >= 0 && fitsCaret(version, term);
    case '!=':
      return isUnequal(version, term, difference);
    case '>':
      return isGreater(version, term, difference);
    case '>=':
      return difference >= 0;
    case '<':
      return difference < 0;
    case '<=':
      return isNotGreater(version, term, difference);
  }
}

function fitsTilde(version: Version, { version: bound, open }: ConstraintTerm, difference: number): boolean {
  if (difference < 0) return false;
  const isZero = bound.major === 0n && bound.minor === 0n && bound.patch === 0n;
  if (isZero && open !== 'minor' && open !== 'patch') return true;
  return version.major === bound.major && (version.minor === bound.minor || open === 'minor');
}

/** Whether the first nonzero number is unchanged. */
function fitsCaret(version: Version, { version: bound, open }: ConstraintTerm): boolean {
  if (version.major !== bound.major) return false;
  if (bound.major > 0n || open === 'minor') return true;
  if (version.minor !== bound.minor) return false;
  return bound.minor > 0n || open === 'patch' || version.patch === bound.patch;
}

function isUnequal(version: Version, { version: bound, open }: ConstraintTerm, difference: number): boolean {
  if (open === 'nothing') return difference !== 0;
  if (version.major !== bound.major) return true;
  if (open === 'minor') return false;
  if (version.minor !== bound.minor) return true;
  if (open === 'patch') return comparePrereleases(version.prerelease, bound.prerelease) !== 0;
  return version.patch !== bound.patch || difference !== 0;
}

function isGreater(version: Version, { version: bound, open }: ConstraintTerm, difference: number): boolean {
  if (open === 'nothing') return difference > 0;
  if (version.major !== bound.major) return version.major > bound.major;
  if (open === 'minor') return false;
  return open === 'patch' ? version.minor > bound.minor : difference > 0;
}

function isNotGreater(
  version: Version,
  { version: bound, open }: ConstraintTerm,
  difference: number,
): boolean {
  if (open === 'nothing') return difference <= 0;
  if (version.major !== bound.major) return version.major < bound.major;
  return version.minor <= bound.minor || open === 'minor';
}
