import { parse, TomlError } from 'smol-toml';
import { type ConfigEntry, ConfigSyntaxError } from './entry.ts';

/** Reads the values of a TOML text, with the lines of their keys. */
export function tomlEntries(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  const lines = keyLines(text);
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) {
      entries.push({ path, value, line: lines.get(path) });
      return;
    }
    for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`);
  };
  walk(parseToml(text), '');
  return entries;
}

function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    throw new ConfigSyntaxError(message, error.line);
  }
}

/** Finds the line of each key. The parser keeps no positions, but keys of the schema are simple to find. */
function keyLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let table = '';
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[([^[\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) table = `${header.split('.').map(bare).join('.')}.`;
    const key = /^\s*([\w."'-]+)\s*=/.exec(line)?.[1]?.replaceAll(/["']/g, '');
    if (key !== undefined) lines.set(table + key, index + 1);
  }
  return lines;
}

function bare(name: string): string {
  return name.trim().replaceAll(/["']/g, '');
}
