import type { ConfigFormat } from './config-format.ts';
import type { ConfigEntry } from './entry.ts';

/** All values of a file, flat. Parsers are loaded only when there is a file to read. Throws ConfigSyntaxError. */
export async function parseEntries(text: string, format: ConfigFormat): Promise<readonly ConfigEntry[]> {
  if (format === 'toml') return (await import('./toml-entries.ts')).tomlEntries(text);
  return (await import('./yaml-entries.ts')).yamlEntries(text, format);
}
