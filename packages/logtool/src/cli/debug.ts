import type { CliContext } from './context.ts';
import type { RawArguments } from './flags/flag.ts';
import { mergeSettings } from './plan/settings.ts';
import { readBoolean } from './plan/values.ts';

/** Whether --debug or LOGTOOL_DEBUG asks for stack traces and requests. */
export function readDebug(context: Pick<CliContext, 'env'>, raw: RawArguments): boolean {
  return readBoolean(mergeSettings(raw, context.env, undefined), 'debug');
}
