import { type MappingNode, nodeAt, readYamlNodes, type YamlNode } from './nodes.ts';

/**
 * Sets texts of a mapping in the first document of a YAML text and keeps every other character: comments, order, quotes.
 * Changes the text where js-yaml found the values, because a writer of whole documents would lose all that. Returns undefined
 * if the mapping does not exist at this path, or only through an alias. The caller compares the values before and after:
 * a mapping with merged or repeated keys may give others. Throws js-yaml's YAMLException.
 */
export function setTexts(
  text: string,
  path: readonly PropertyKey[],
  values: Readonly<Record<string, string>>,
): string | undefined {
  let edited = text;
  for (const [name, value] of Object.entries(values)) {
    const mapping = nodeAt(readYamlNodes(edited)[0], path);
    if (mapping?.kind !== 'mapping') return undefined;
    edited = withText(edited, mapping, name, JSON.stringify(value));
  }
  return edited;
}

/** `value`: as JSON, which YAML reads as the same text in every style of mapping. */
function withText(text: string, { entries, start }: MappingNode, name: string, value: string): string {
  const [key, old] = entries.findLast(([each]) => each.kind === 'scalar' && each.value === name) ?? [];
  if (key?.kind === 'scalar') return withValue(text, key.end, old, value);
  const entry = `${name}: ${value}`;
  if (text[start] !== '{') {
    const column = start - (text.lastIndexOf('\n', start - 1) + 1);
    return spliced(text, start, start, `${entry}\n${' '.repeat(column)}`);
  }
  return spliced(text, start + 1, start + 1, entries.length === 0 ? entry : `${entry}, `);
}

function withValue(text: string, keyEnd: number, old: YamlNode | undefined, value: string): string {
  if (old?.kind !== 'scalar') return text;
  const { start, end } = old;
  if (start < 0) {
    const colon = text.indexOf(':', keyEnd) + 1;
    return spliced(text, colon, colon, ` ${value}`);
  }
  const isLine = text.slice(start, end).endsWith('\n');
  return spliced(text, start, end, isLine ? `${value}\n` : value);
}

const spliced = (text: string, start: number, end: number, by: string) =>
  text.slice(0, start) + by + text.slice(end);
