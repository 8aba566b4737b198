import { GoError } from '../../../template/errors.ts';
import { type GoFunction, type GoReceiver, goFunction } from '../../../template/function.ts';
import { GoInt, type Value } from '../../../value/value.ts';
import {
  compareVersions,
  formatVersion,
  parseVersion,
  type Version,
  VersionError,
} from '../../../version/version.ts';

/** @throws GoError */
export function versionOrError(text: string): Version {
  return orGoError(() => parseVersion(text));
}

/** Turns errors of the version library into function errors. */
export function orGoError<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof VersionError) throw new GoError(error.message);
    throw error;
  }
}

/** A version in templates: https://pkg.go.dev/github.com/Masterminds/semver/v3#Version */
export class GoVersion implements GoReceiver {
  readonly goType: '*semver.Version' | 'semver.Version';
  readonly version: Version;
  /** Some methods exist only on the pointer. */
  readonly #isPointer: boolean;

  constructor(version: Version, isPointer = true) {
    this.version = version;
    this.#isPointer = isPointer;
    this.goType = isPointer ? '*semver.Version' : 'semver.Version';
  }

  field(name: string): Value | undefined {
    const { version } = this;
    switch (name) {
      case 'Major':
        return new GoInt(version.major, 'uint64');
      case 'Minor':
        return new GoInt(version.minor, 'uint64');
      case 'Patch':
        return new GoInt(version.patch, 'uint64');
      case 'Prerelease':
        return version.prerelease;
      case 'Metadata':
        return version.metadata;
      case 'Original':
        return this.#isPointer ? version.original : undefined;
      case 'String':
        return formatVersion(version);
      case 'IncMajor':
        return next(version, { major: version.major + 1n, minor: 0n, patch: 0n });
      case 'IncMinor':
        return next(version, { minor: version.minor + 1n, patch: 0n });
      case 'IncPatch':
        return next(version, version.prerelease === '' ? { patch: version.patch + 1n } : {});
      default:
        return undefined;
    }
  }

  method(name: string): GoFunction | undefined {
    const comparison = this.#isPointer ? COMPARISONS.get(name) : undefined;
    if (comparison !== undefined) return comparison(this.version);
    const setter = SETTERS.get(name);
    return setter === undefined ? undefined : setter(this.version);
  }

  json(): string {
    return JSON.stringify(formatVersion(this.version));
  }

  toString(): string {
    return formatVersion(this.version);
  }
}

function withOriginal(version: Version): Version {
  return { ...version, original: (version.original.startsWith('v') ? 'v' : '') + formatVersion(version) };
}

function next(version: Version, change: Partial<Version>): GoVersion {
  return new GoVersion(withOriginal({ ...version, ...change, prerelease: '', metadata: '' }), false);
}

const compared =
  (answer: (order: number) => Value) =>
  (version: Version): GoFunction =>
    goFunction(['*semver.Version'], 'bool', (_call, other) => {
      if (!(other instanceof GoVersion))
        throw new GoError('runtime error: invalid memory address or nil pointer dereference');
      return answer(compareVersions(version, other.version));
    });

const COMPARISONS: ReadonlyMap<string, (version: Version) => GoFunction> = new Map([
  ['Compare', compared((order) => new GoInt(Math.sign(order)))],
  ['Equal', compared((order) => order === 0)],
  ['LessThan', compared((order) => order < 0)],
  ['LessThanEqual', compared((order) => order <= 0)],
  ['GreaterThan', compared((order) => order > 0)],
  ['GreaterThanEqual', compared((order) => order >= 0)],
]);

const IDENTIFIERS = /^([\dA-Za-z-]+(\.[\dA-Za-z-]+)*)?$/;

const setting =
  (field: 'prerelease' | 'metadata') =>
  (version: Version): GoFunction =>
    goFunction(['string'], 'semver.Version', (_call, text) => {
      if (!IDENTIFIERS.test(text)) throw new GoError(`invalid ${field} string`);
      if (field === 'prerelease') versionOrError(`1.0.0${text === '' ? '' : `-${text}`}`);
      return new GoVersion(withOriginal({ ...version, [field]: text }), false);
    });

const SETTERS: ReadonlyMap<string, (version: Version) => GoFunction> = new Map([
  ['SetPrerelease', setting('prerelease')],
  ['SetMetadata', setting('metadata')],
]);
