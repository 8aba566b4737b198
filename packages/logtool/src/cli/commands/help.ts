import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { helpWidth } from '../flags/help-layout.ts';
import { commandHelp, programHelp } from '../flags/help-text.ts';
import { usageFailure } from '../messages/errors.ts';
import { namedAs } from '../program-name.ts';
import { COMMANDS, findCommand } from './commands.ts';

/** `logtool help logs`, `logtool logs --help`: prints requested help to standard output. */
export async function help(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const name = raw.positionals.join(' ');
  const command = findCommand(name);
  const layout = {
    width: helpWidth(context),
    named: (text: string) => namedAs(text, context.program),
  };
  if (command !== undefined) await context.stdout.write(commandHelp(command, layout));
  else if (name === '' || COMMANDS.some((each) => each.name.startsWith(`${name} `))) {
    await context.stdout.write(programHelp(name, layout));
  } else {
    const names = COMMANDS.map((each) => each.name);
    const near = nearNames(name, names, 1)[0];
    throw usageFailure('unknown-command', {
      name,
      commands: names,
      ...(near === undefined ? {} : { near: `help ${near}` }),
    });
  }
  return EXIT.done;
}
