import type { ConfigFormat } from './keys.ts';

/** One value of a file before it is checked, with the place where it stands. */
export interface ConfigEntry {
  readonly path: string;
  /** Text, number, boolean, null, a list of these; a section that is no leaf of the schema comes in its parts. */
  readonly value: unknown;
  readonly line: number | undefined;
}

/** What is wrong with the text of a file as such. */
export class ConfigSyntaxError extends Error {
  readonly line: number | undefined;

  constructor(message: string, line: number | undefined) {
    super(message);
    this.name = 'ConfigSyntaxError';
    this.line = line;
  }
}

/** All values of a file, flat. Parsers are loaded only when there is a file to read. Throws ConfigSyntaxError. */
export async function parseEntries(text: string, format: ConfigFormat): Promise<readonly ConfigEntry[]> {
  if (format === 'toml') return (await import('./toml-entries.ts')).tomlEntries(text);
  return (await import('./yaml-entries.ts')).yamlEntries(text, format);
}
