import { readYamlNodes, type YamlNode } from '@logtool/kube/src/yaml/nodes.ts';
import { YAMLException } from 'js-yaml';
import { type ConfigEntry, ConfigSyntaxError } from './entry.ts';

const MAX_DEPTH = 16;

/**
 * Reads the values of a YAML or JSON text with their lines. JSON is valid YAML, once JSON's own parser has
 * accepted it.
 */
export function yamlEntries(text: string, format: 'yaml' | 'json'): readonly ConfigEntry[] {
  const [root, second] = readNodes(text);
  if (second !== undefined)
    throw new ConfigSyntaxError('it has more than one document', lineOfMarker(text, second.line));
  if (format === 'json') checkJson(text);
  return root === undefined ? [] : entriesOf(root, '', root.line, 0);
}

/** Returns the line of the `---` before the document whose first value is on `line`. */
function lineOfMarker(text: string, line: number): number {
  const before = text.split('\n').slice(0, line);
  return before.findLastIndex((each) => each.startsWith('---')) + 1;
}

function readNodes(text: string): readonly YamlNode[] {
  try {
    return readYamlNodes(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    if (error.reason.includes('maxDepth')) throw new ConfigSyntaxError('it is nested too deeply', undefined);
    throw new ConfigSyntaxError(reasonOf(error), error.mark === undefined ? undefined : error.mark.line + 1);
  }
}

/** For an unclosed bracket, js-yaml reports only that the next line is not indented. */
function reasonOf({ reason }: YAMLException): string {
  const hint = reason === 'deficient indentation' ? ': is a bracket not closed?' : '';
  return `the YAML is not valid: ${reason}${hint}`;
}

function entriesOf(node: YamlNode, path: string, line: number, depth: number): readonly ConfigEntry[] {
  if (depth > MAX_DEPTH) throw new ConfigSyntaxError('it is nested too deeply', line);
  if (node.kind === 'alias') throw new ConfigSyntaxError('aliases are not supported', line);
  if (node.kind !== 'mapping' || node.entries.length === 0) return [{ path, value: plainOf(node), line }];
  const names = new Set<string>();
  return node.entries.flatMap(([key, value]) => {
    const name = key.kind === 'scalar' ? String(key.value) : '?';
    if (key.kind === 'scalar' && names.has(name))
      throw new ConfigSyntaxError('Map keys must be unique', key.line);
    names.add(name);
    return entriesOf(value, path === '' ? name : `${path}.${name}`, key.line, depth + 1);
  });
}

/** Returns a value in the form that configuration keys take: at most a list of scalars. */
function plainOf(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'sequence') return node.items.map((item) => (item.kind === 'scalar' ? item.value : {}));
  node.kind satisfies 'alias' | 'mapping';
  return {};
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
