import { usageError } from '@logtool/kube/src/values/errors.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { SCRIPTS } from '../completion/scripts/scripts.ts';
import { SHELLS } from '../completion/shells.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';

/** Prints the script that makes a shell complete logtool's command lines. */
export async function completion(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const [name] = raw.positionals;
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined) throw unknownShell(name);
  await context.stdout.write(SCRIPTS[shell]);
  return EXIT.done;
}

function unknownShell(name: string | undefined): Error {
  const near = name === undefined ? undefined : nearNames(name, SHELLS, 1)[0];
  return usageError({
    code: name === undefined ? 'no-shell' : 'unknown-shell',
    what: name === undefined ? 'no shell is named' : `no completion for ${sanitizeText(name)}`,
    why: `there is one for ${SHELLS.join(', ')}`,
    next: near === undefined ? 'see: logtool completion --help' : `did you mean: logtool completion ${near}?`,
  });
}
