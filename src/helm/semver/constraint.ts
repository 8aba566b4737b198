import { comparePrereleases, compareVersions, parseVersion, type Version } from './version.ts';

/** A range of versions: one of its groups has to hold, and in it every bound. */
export type Constraint = readonly Group[];

interface Group {
  readonly bounds: readonly Bound[];
  /** A bound names a pre-release: only then a pre-release can be in the range. */
  readonly hasPrerelease: boolean;
}

/** `x` and what is left out make a bound open from there on. */
interface Bound {
  readonly operator: Operator;
  readonly version: Version;
  readonly open: 'none' | 'patch' | 'minor' | 'major';
}

type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^';

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': '=',
  '=': '=',
  '!=': '!=',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '=>': '>=',
  '<=': '<=',
  '=<': '<=',
  '~': '~',
  '~>': '~',
  '^': '^',
};

const PART = '[0-9xX*|]+';
const IDENTIFIERS = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`;
const VERSION = String.raw`v?(${PART})(?:\.(${PART}))?(?:\.(${PART}))?(?:-(${IDENTIFIERS}))?(?:\+${IDENTIFIERS})?`;
const BOUND = new RegExp(String.raw`\s*(!=|>=|=>|<=|=<|~>|=|>|<|~|\^|)\s*${VERSION}(?:\s*,\s*|\s+|$)`, 'y');
const RANGE = new RegExp(
  String.raw`\s*(${VERSION.replace(/\((?!\?)/g, '(?:')})\s+-\s+(${VERSION.replace(/\((?!\?)/g, '(?:')})\s*`,
  'g',
);

/** A text that is no range; the message is the library's. */
export class InvalidConstraint extends Error {
  override readonly name = 'InvalidConstraint';
}

/**
 * Reads a range as Masterminds/semver does: `^1.2`, `~1.2.3`, `>=1, <2`, `1.x`, `1.2 - 1.4`, `^1 || ^2`.
 * @throws InvalidConstraint
 */
export function parseConstraint(text: string): Constraint {
  if (text.length > 1000) throw new InvalidConstraint('improper constraint: it is too long');
  const written = text.replaceAll(RANGE, '>= $1, <= $2 ');
  return written.split('||').map((group) => {
    const bounds = parseBounds(group);
    return { bounds, hasPrerelease: bounds.some(({ version }) => version.prerelease !== '') };
  });
}

function parseBounds(group: string): readonly Bound[] {
  const bounds: Bound[] = [];
  let at = 0;
  const end = group.trimEnd().length;
  while (at < end) {
    BOUND.lastIndex = at;
    const match = BOUND.exec(group);
    if (match === null) break;
    at = BOUND.lastIndex;
    bounds.push(readBound(match, group));
  }
  // A comma has to be followed by another bound.
  if (bounds.length === 0 || at < end || /,\s*$/.test(group))
    throw new InvalidConstraint(`improper constraint: ${JSON.stringify(group)}`);
  return bounds;
}

function readBound(match: RegExpExecArray, group: string): Bound {
  const [, written = '', major = '', minor = '', patch = '', prerelease = ''] = match;
  const isOpen = (part: string) => part === '' || part === 'x' || part === 'X' || part === '*';
  const open = isOpen(major) ? 'major' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : 'none';
  const parts = {
    major: ['0', '0', '0'],
    minor: [major, '0', '0'],
    patch: [major, minor, '0'],
    none: [major, minor, patch],
  }[open];
  try {
    const version = parseVersion(`${parts.join('.')}${prerelease === '' ? '' : `-${prerelease}`}`);
    return { operator: OPERATORS[written] ?? '=', version, open };
  } catch {
    throw new InvalidConstraint(`improper constraint: ${JSON.stringify(group)}`);
  }
}

/** Whether a version lies in a range. */
export function satisfies(version: Version, constraint: Constraint): boolean {
  return constraint.some(
    ({ bounds, hasPrerelease }) =>
      (version.prerelease === '' || hasPrerelease) && bounds.every((bound) => holds(version, bound)),
  );
}

function holds(version: Version, bound: Bound): boolean {
  const { operator, version: limit, open } = bound;
  const order = compareVersions(version, limit);
  switch (operator) {
    case '=':
      return open === 'none' ? order === 0 : isNear(version, bound);
    case '!=':
      return isOther(version, bound);
    case '~':
      return isNear(version, bound);
    case '^':
      return isCompatible(version, bound);
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '>':
      return isAbove(version, bound);
    case '<=':
      if (open === 'none') return order <= 0;
      // `<=11` takes all of 11, `<=11.1` all of 11.1.
      if (version.major !== limit.major) return version.major < limit.major;
      return open === 'minor' || version.minor <= limit.minor;
  }
}

/** `>11` begins with 12, `>11.1` with 11.2. */
function isAbove(version: Version, { version: limit, open }: Bound): boolean {
  if (open === 'none') return compareVersions(version, limit) > 0;
  if (version.major !== limit.major) return version.major > limit.major;
  if (open === 'minor') return false;
  return open === 'patch' ? version.minor > limit.minor : compareVersions(version, limit) > 0;
}

/** The same as far as it is written. */
function isOther(version: Version, { version: limit, open }: Bound): boolean {
  if (open === 'none') return compareVersions(version, limit) !== 0;
  if (version.major !== limit.major) return true;
  if (open === 'minor') return false;
  if (version.minor !== limit.minor) return true;
  if (open === 'patch') return comparePrereleases(version.prerelease, limit.prerelease) !== 0;
  return compareVersions(version, limit) !== 0;
}

/** `~1.2.3`: patches may differ; `~1`: minors too. */
function isNear(version: Version, { version: limit, open }: Bound): boolean {
  if (compareVersions(version, limit) < 0) return false;
  const isZero = limit.major === 0n && limit.minor === 0n && limit.patch === 0n;
  if (isZero && (open === 'none' || open === 'major')) return true;
  return version.major === limit.major && (open === 'minor' || version.minor === limit.minor);
}

/** `^1.2.3`: the first number that is not 0 stays. */
function isCompatible(version: Version, { version: limit, open }: Bound): boolean {
  if (compareVersions(version, limit) < 0) return false;
  if (limit.major > 0n || open === 'minor') return version.major === limit.major;
  if (version.major > 0n) return false;
  if (limit.minor > 0n || open === 'patch') return version.minor === limit.minor;
  return version.minor === 0n && version.patch === limit.patch;
}
