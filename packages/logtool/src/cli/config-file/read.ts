import { whyOf } from '@logtool/kube/src/values/problems.ts';
import type { CliContext } from '../context.ts';
import { CliError } from '../messages/cli-error.ts';
import { configFailure } from '../messages/errors.ts';
import { type ConfigValues, checkEntries } from './check.ts';
import type { ConfigFormat } from './config-format.ts';
import { type ConfigEntry, ConfigSyntaxError } from './entry.ts';
import {
  type defaultConfigPath,
  defaultConfigPaths,
  expandPath,
  formatOfName,
  pathArgument,
} from './locate.ts';

export interface ConfigFile {
  readonly path: string;
  readonly values: ConfigValues;
}

/** Far above the size of all keys; parsers may need quadratic time for hostile texts. */
const LIMIT_CHARACTERS = 1 << 16;

/**
 * Reads the configuration file: the requested one, which must exist, or the first existing default one, if
 * any. The extension determines the format, else the content. Throws usage errors that name file, line and
 * key.
 */
export async function readConfigFile(
  context: Pick<CliContext, 'files' | 'homeDirectory' | 'workingDirectory'>,
  asked: string | undefined,
): Promise<ConfigFile> {
  const paths = asked === undefined ? defaultConfigPaths(context) : [expandPath(asked, context)];
  const found = await readFirst(context, paths, asked !== undefined);
  if (found === undefined) return { path: paths[0] ?? '', values: new Map() };
  const { path, text } = found;
  const rewrite = rewriteCommand(path, context);
  return { path, values: checkEntries(await parse(text, path, rewrite), path, rewrite) };
}

/** Reads the first file that exists. */
async function readFirst(
  context: Pick<CliContext, 'files'>,
  paths: readonly string[],
  required: boolean,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  for (const path of paths) {
    const text = await readText(context, path, required);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}

async function readText(
  context: Pick<CliContext, 'files'>,
  path: string,
  required: boolean,
): Promise<string | undefined> {
  try {
    return (await context.files.readSmallFile(path)).toString('utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const absent = code === 'ENOENT' || code === 'ENOTDIR';
    if (absent && !required) return undefined;
    if (absent) throw configFailure('config-not-found', { path }, error);
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    throw configFailure('config-unreadable', { path, why: whyOf(error), isForbidden }, error);
  }
}

/** Returns the command that writes a new file in place of this one. */
function rewriteCommand(path: string, folders: Parameters<typeof defaultConfigPath>[0]): string {
  const where = pathArgument(path, folders);
  const format = formatOfName(path) ?? 'yaml';
  return `logtool config init --force${where}${format === 'yaml' ? '' : ` --format ${format}`}`;
}

async function parse(text: string, path: string, rewrite: string) {
  const invalid = (line: number | undefined, why: string) => invalidFile(path, line, why, rewrite);
  if (text.length > LIMIT_CHARACTERS) throw invalid(undefined, 'it is larger than 64 KiB');
  try {
    return await parseEntries(text, formatOf(path, text));
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof ConfigSyntaxError) throw invalid(error.line, error.message);
    // The parsers recurse: a file that is nested thousands of levels deep exhausts the stack.
    throw invalid(undefined, error instanceof RangeError ? 'it is nested too deeply' : String(error));
  }
}

function formatOf(path: string, text: string): ConfigFormat {
  const named = formatOfName(path);
  if (named === 'json' || named === 'toml') return named;
  if (named === undefined && /^\s*\{/.test(text)) return 'json';
  // Also for .yaml: `config init --format toml` writes to the default path, which has that name. No section
  // of a YAML file begins like this.
  return TOML_BEGINNING.test(text) ? 'toml' : 'yaml';
}

/** After comments and blank lines, a table (`[general]`) or a key with its value (`version = 1`). */
const TOML_BEGINNING =
  /^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*(?:\[[\w. -]+\][ \t]*(?:#.*)?(?:\r?\n|$)|[\w.-]+[ \t]*=)/;

function invalidFile(path: string, line: number | undefined, why: string, rewrite: string): CliError {
  const position = line === undefined ? path : `${path}:${line}`;
  return configFailure('config-invalid', { position, why, rewrite });
}

/**
 * Reads all values of a file as a flat list. Loads parsers only if there is a file. Throws ConfigSyntaxError.
 */
async function parseEntries(text: string, format: ConfigFormat): Promise<readonly ConfigEntry[]> {
  if (format === 'toml') return (await import('./toml-entries.ts')).tomlEntries(text);
  return (await import('./yaml-entries.ts')).yamlEntries(text, format);
}
