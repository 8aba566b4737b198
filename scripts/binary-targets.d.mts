/** A platform that a single executable can be made for. */
export interface BinaryTarget {
  /** What `--target` takes, such as `linux-arm64`. */
  readonly name: string;
  /** The npm package of the runtime, below `@oven/`. */
  readonly runtime: string;
  /** The digest of that package, as npm writes it. */
  readonly integrity: string;
  readonly format: 'ELF' | 'Mach-O' | 'PE';
  readonly machine: 'x64' | 'arm64';
}

/** The version of Bun. */
export const BUN: string;

/** Every platform, in the order in which they are made. */
export const TARGETS: readonly BinaryTarget[];

/** The platform of a name. Throws an error that lists the names. */
export function findTarget(name: string): BinaryTarget;

/** The platform of this machine. Throws where Bun has no runtime for it. */
export function hostTarget(host?: Pick<NodeJS.Process, 'platform' | 'arch' | 'report'>): BinaryTarget;

/** What the executable for a platform is called. */
export function executableName(target: BinaryTarget): string;

/** What the archive for a platform is called. */
export function archiveName(target: BinaryTarget): string;
