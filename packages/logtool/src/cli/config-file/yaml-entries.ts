import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { type ConfigEntry, ConfigSyntaxError } from './entry.ts';

const DEPTH_LIMIT = 16;

/** Values of a YAML or JSON text with their lines. JSON is YAML, once JSON's own parser has accepted it. */
export function yamlEntries(text: string, format: 'yaml' | 'json'): readonly ConfigEntry[] {
  const lines = new LineCounter();
  // Quieter than this it would pass over a second document.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'error' });
  const error = document.errors[0];
  if (error !== undefined) {
    if (error.code === 'RESOURCE_EXHAUSTION')
      throw new ConfigSyntaxError('it is nested too deeply', undefined);
    if (error.code === 'MULTIPLE_DOCS')
      throw new ConfigSyntaxError('it has more than one document', lines.linePos(error.pos[0]).line);
    const message = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '';
    throw new ConfigSyntaxError(message, lines.linePos(error.pos[0]).line);
  }
  if (format === 'json') checkJson(text);
  const entries: ConfigEntry[] = [];
  const lineOf = (node: unknown) => {
    const start = (node as Node | null)?.range?.[0];
    return start === undefined ? undefined : lines.linePos(start).line;
  };

  const plain = (node: unknown): unknown => {
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item) => (isScalar(item) ? item.value : {}));
    return isMap(node) ? {} : null;
  };
  const walk = (node: unknown, path: string, line: number | undefined, depth: number): void => {
    if (depth > DEPTH_LIMIT) throw new ConfigSyntaxError('it is nested too deeply', line);
    if (isAlias(node)) throw new ConfigSyntaxError('aliases are not supported', line);
    if (!isMap(node) || node.items.length === 0) {
      entries.push({ path, value: plain(node), line });
      return;
    }
    // The parser would compare each key with all before it.
    const names = new Set<string>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '?';
      if (isScalar(key) && names.has(name))
        throw new ConfigSyntaxError('Map keys must be unique', lineOf(key));
      names.add(name);
      walk(value, path === '' ? name : `${path}.${name}`, lineOf(key), depth + 1);
    }
  };
  if (document.contents !== null) walk(document.contents, '', lineOf(document.contents), 0);
  return entries;
}

function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    throw new ConfigSyntaxError(message, line);
  }
}
