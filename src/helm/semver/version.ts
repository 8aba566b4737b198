/** A version as Masterminds/semver reads it, Helm's library (https://github.com/Masterminds/semver). */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** `rc.1`, without the dash; '' where there is none. */
  readonly prerelease: string;
  /** `build.5`, without the plus; '' where there is none. It never counts in comparisons. */
  readonly metadata: string;
  /** As it was written. */
  readonly original: string;
}

const IDENTIFIERS = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`;
const LOOSE = new RegExp(
  String.raw`^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-(${IDENTIFIERS}))?(?:\+(${IDENTIFIERS}))?$`,
);
const LARGEST = 2n ** 64n - 1n;

/** A text that is no version; the message is the library's. */
export class InvalidVersion extends Error {
  override readonly name = 'InvalidVersion';
}

/**
 * Reads a version, minor and patch may be missing and a `v` may stand in front.
 * @throws InvalidVersion
 */
export function parseVersion(text: string): Version {
  const match = text.length > 1000 ? null : LOOSE.exec(text);
  if (match === null) throw new InvalidVersion('invalid semantic version');
  const [, major = '', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  if (prerelease.split('.').some((part) => /^0\d+$/.test(part)))
    throw new InvalidVersion('version segment starts with 0');
  return {
    major: segment(major),
    minor: segment(minor),
    patch: segment(patch),
    prerelease,
    metadata,
    original: text,
  };
}

function segment(digits: string): bigint {
  const value = BigInt(digits);
  if (value > LARGEST)
    throw new InvalidVersion(
      `error parsing version segment: strconv.ParseUint: parsing "${digits}": value out of range`,
    );
  return value;
}

/** `1.2.3-rc.1+build`: complete, without a `v`. */
export function versionText({ major, minor, patch, prerelease, metadata }: Version): string {
  return `${major}.${minor}.${patch}${prerelease === '' ? '' : `-${prerelease}`}${metadata === '' ? '' : `+${metadata}`}`;
}

/** By precedence (https://semver.org/#spec-item-11): negative where the first is the older one. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

/** A version without a pre-release comes after all that have one. */
export function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const left = a.split('.');
  const right = b.split('.');
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareIdentifiers(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0;
  // A longer list wins over the same that is shorter.
  if (a === '' || b === '') return a === '' ? -1 : 1;
  const [aNumber, bNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aNumber && bNumber) return compareNumbers(BigInt(a), BigInt(b));
  if (aNumber !== bNumber) return aNumber ? -1 : 1;
  return a < b ? -1 : 1;
}

function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
