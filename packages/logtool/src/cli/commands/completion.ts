import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { SCRIPTS } from '../completion/scripts/scripts.ts';
import { SHELLS } from '../completion/shells.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { usageFailure } from '../messages/errors.ts';

/** Prints the script that makes a shell complete logtool's command lines. */
export async function completion(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const [name] = raw.positionals;
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined) throw unknownShell(name);
  await context.stdout.write(SCRIPTS[shell]);
  return EXIT.done;
}

function unknownShell(name: string | undefined): Error {
  if (name === undefined) return usageFailure('no-shell', { shells: SHELLS });
  const near = nearNames(name, SHELLS, 1)[0];
  return usageFailure('unknown-shell', { name, shells: SHELLS, ...(near === undefined ? {} : { near }) });
}
