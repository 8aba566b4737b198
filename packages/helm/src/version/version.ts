/** A semantic version (https://semver.org), parsed as leniently as in Helm: accepts `v1`, `1.2` and leading zeros. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** The part after the hyphen; empty for a release. */
  readonly prerelease: string;
  /** The part after the plus sign, which does not affect the order. */
  readonly metadata: string;
  /** As written. */
  readonly original: string;
}

/** An invalid version or constraint; worded like Masterminds' semver 3. */
export class VersionError extends Error {
  override readonly name = 'VersionError';
}

const IDENTIFIERS = '[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*';
const FORM = new RegExp(
  `^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?$`,
);
const MAX_UINT64 = 2n ** 64n - 1n;

/** @throws VersionError */
export function parseVersion(text: string): Version {
  const match = FORM.exec(text);
  if (match === null) throw new VersionError('invalid semantic version');
  const [, major, minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  if (prerelease.split('.').some((identifier) => /^0\d+$/.test(identifier))) {
    throw new VersionError('version segment starts with 0');
  }
  return {
    major: segment(major as string),
    minor: segment(minor),
    patch: segment(patch),
    prerelease,
    metadata,
    original: text,
  };
}

function segment(digits: string): bigint {
  const isShort = digits.replace(/^0+/, '').length <= 20;
  const value = isShort ? BigInt(digits) : MAX_UINT64 + 1n;
  if (value <= MAX_UINT64) return value;
  throw new VersionError(
    `error parsing version segment: strconv.ParseUint: parsing "${digits}": value out of range`,
  );
}

export function isVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch (error) {
    if (error instanceof VersionError) return false;
    throw error;
  }
}

/** Returns the canonical form: three numbers, no `v`. */
export function formatVersion({ major, minor, patch, prerelease, metadata }: Version): string {
  const before = prerelease === '' ? '' : `-${prerelease}`;
  return `${major}.${minor}.${patch}${before}${metadata === '' ? '' : `+${metadata}`}`;
}

/** Returns a negative number if `a` is before `b`. A release is after its pre-releases; ignores metadata. */
export function compareVersions(a: Version, b: Version): number {
  const difference = order(a.major, b.major) || order(a.minor, b.minor) || order(a.patch, b.patch);
  if (difference !== 0 || a.prerelease === b.prerelease) return difference;
  if (a.prerelease === '') return 1;
  return b.prerelease === '' ? -1 : comparePrereleases(a.prerelease, b.prerelease);
}

/** Compares identifiers from left to right: numbers by value and before words, fewer before more. */
export function comparePrereleases(a: string, b: string): number {
  const left = a.split('.');
  const right = b.split('.');
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = compareIdentifiers(left[index] ?? '', right[index] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? -1 : 1;
  const left = identifierNumber(a);
  const right = identifierNumber(b);
  if (left === undefined && right === undefined) return a < b ? -1 : 1;
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
  return left > right ? 1 : -1;
}

function identifierNumber(text: string): bigint | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value <= MAX_UINT64 ? value : undefined;
}

function order(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
