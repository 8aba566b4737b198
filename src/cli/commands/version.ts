import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

export async function version(context: CliContext): Promise<ExitCode> {
  await context.stdout.write(`logtool ${context.version}\n`);
  return EXIT.done;
}
