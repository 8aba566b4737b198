import type { BinaryTarget } from './binary-targets.mjs';

/** What one run of `npm run build:binary` makes. */
export interface BinaryPlan {
  readonly help: boolean;
  /** The version that the program reports; undefined for that of package.json. */
  readonly version: string | undefined;
  readonly executables: readonly { readonly target: BinaryTarget; readonly path: string }[];
  /** Where an archive of each is made, if anywhere. The run empties this folder first. */
  readonly archiveFolder?: string;
  /** Where the checksums are written, if anywhere. */
  readonly sums?: string;
}

/** The plan that arguments ask for. Throws on arguments that contradict each other and on unknown names. */
export function planBinaries(
  args: readonly string[],
  out: string,
  host?: Pick<NodeJS.Process, 'platform' | 'arch' | 'report'>,
): BinaryPlan;
