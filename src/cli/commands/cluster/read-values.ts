import { LogtoolError } from '../../../domain/errors.ts';
import type { ValueMap } from '../../../helm/value/value.ts';
import { readUserValues } from '../../../helm/values/user-values.ts';
import { expandPath } from '../../config-file/locate.ts';
import type { CliContext } from '../../context.ts';
import type { ValuesPlan } from '../../plan/cluster-plan.ts';
import { readStandardInput } from './read-standard-input.ts';

/**
 * The values that a person gives: of files, then of --set-json, --set and --set-string. Undefined where none are
 * given, which for an upgrade means that those of before stay.
 */
export async function readValues(context: CliContext, plan: ValuesPlan): Promise<ValueMap | undefined> {
  if (plan.files.length === 0 && plan.sets.length === 0) return undefined;
  const texts = new Map<string, string>();
  for (const path of plan.files) texts.set(path, await readText(context, path));
  const of = (kind: string) => plan.sets.filter((set) => set.kind === kind).map(({ text }) => text);
  return readUserValues(
    { files: plan.files, json: of('set-json'), typed: of('set'), strings: of('set-string') },
    (path) => texts.get(path) ?? '',
  );
}

async function readText(context: CliContext, path: string): Promise<string> {
  try {
    // Standard input has no other name that every system knows.
    if (path === '-') return await readStandardInput();
    return await context.files.readFile(expandPath(path, context), 'utf8');
  } catch (error) {
    throw new LogtoolError({
      code: 'values-file-unreadable',
      what: `the values file ${path} cannot be read`,
      why: error instanceof Error ? error.message : String(error),
      next: 'check the path behind --values',
      exit: 'usage',
      cause: error,
    });
  }
}
