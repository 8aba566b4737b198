/** A platform with a single executable. */
export interface BinaryTarget {
  /** The value for `--target`, such as `linux-arm64`. */
  readonly name: string;
  /** The npm package of the runtime, below `@oven/`. */
  readonly runtime: string;
  /** The digest of that package, in npm's format. */
  readonly integrity: string;
  readonly format: 'ELF' | 'Mach-O' | 'PE';
  readonly machine: 'x64' | 'arm64';
}

/** The version of Bun. */
export const BUN: string;

/** Every platform, in build order. */
export const TARGETS: readonly BinaryTarget[];

/** Returns the platform with a name. Throws an error that lists the names. */
export function findTarget(name: string): BinaryTarget;

/** Returns the platform of this machine. Throws if Bun has no runtime for it. */
export function hostTarget(host?: Pick<NodeJS.Process, 'platform' | 'arch' | 'report'>): BinaryTarget;

/** Returns the file name of the executable for a platform. */
export function executableName(target: BinaryTarget): string;

/** Returns the file name of the archive for a platform. */
export function archiveName(target: BinaryTarget): string;
