import { readFile } from 'node:fs/promises';
import { whyUnreadable } from '@logtool/kube/src/config/read-file.ts';
import { whyText } from '../messages/problems.ts';
import type { CliContext } from './context.ts';
import type { CliError } from './messages/cli-error.ts';
import { commandFailure } from './messages/errors.ts';

/** The program's own license, and those of what its build includes, the page too. */
const OF_EVERY_FORM = ['LICENSE', 'dist/licenses.txt', 'dist/ui/licenses.txt'] as const;
/** The single executable also holds its runtime, with everything linked into it. */
const OF_RUNTIME = 'dist/licenses-of-bun.txt';
const BETWEEN = '\n----\n\n';

/**
 * Returns the texts of all licenses of this form of the program, each once, its own first. Throws CliError
 * `no-licenses` if one of their files cannot be read: half a list would look complete.
 */
export async function licensesText({ packageFile }: Pick<CliContext, 'packageFile'>): Promise<string> {
  const texts: string[] = [];
  for (const name of OF_EVERY_FORM) texts.push(...(await licensesOf(name, packageFile(name))));
  const runtime = packageFile(OF_RUNTIME);
  if (runtime !== undefined) texts.push(...(await licensesOf(OF_RUNTIME, runtime)));
  // The program and its page share some packages.
  return [...new Set(texts)].join(BETWEEN);
}

async function licensesOf(name: string, path: string | undefined): Promise<readonly string[]> {
  if (path === undefined) throw noLicenses(name, 'there is no such file');
  try {
    const text = await readFile(path, 'utf8');
    return text.split(BETWEEN).map((license) => `${license.trimEnd()}\n`);
  } catch (error) {
    throw noLicenses(name, whyText(whyUnreadable(error)), error);
  }
}

function noLicenses(name: string, why: string, cause?: unknown): CliError {
  return commandFailure('no-licenses', { name, why }, cause);
}
