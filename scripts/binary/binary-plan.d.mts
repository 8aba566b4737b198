import type { BinaryTarget } from './binary-targets.mjs';

/** The output of one run of `npm run build:binary`. */
export interface BinaryPlan {
  readonly help: boolean;
  /** The version that the program reports; undefined means that of package.json. */
  readonly version: string | undefined;
  readonly executables: readonly { readonly target: BinaryTarget; readonly path: string }[];
  /** The folder for an archive of each, if wanted. The run empties it first. */
  readonly archiveFolder?: string;
  /** The file for the checksums, if wanted. */
  readonly sums?: string;
}

/** Returns the plan for the arguments. Throws for conflicting arguments and for unknown names. */
export function planBinaries(
  args: readonly string[],
  out: string,
  host?: Pick<NodeJS.Process, 'platform' | 'arch' | 'report'>,
): BinaryPlan;
