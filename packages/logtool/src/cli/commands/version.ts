import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { planVersion } from '../plan/plan-version.ts';

/** Prints the version, or the licenses of everything the program holds. */
export async function version(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  await context.stdout.write(
    planVersion(context, raw).licenses
      ? await (await import('../licenses.ts')).licensesText(context)
      : `logtool ${context.version}\n`,
  );
  return EXIT.done;
}
