import { stat } from 'node:fs/promises';
import { nodeAt, readYamlNodes, type YamlNode } from '../yaml/nodes.ts';
import { readSmallFile } from './read-file.ts';

/**
 * The line (from 1) of a field in a YAML or JSON file; of its parent where the field itself cannot be found.
 * Undefined when the file cannot be read again, as a pipe cannot. Only for messages: the file is parsed a second time.
 */
export async function lineOf(file: string, path: readonly (string | number)[]): Promise<number | undefined> {
  const isFile = await stat(file).then(
    (info) => info.isFile(),
    () => false,
  );
  const bytes = isFile ? await readSmallFile(file).catch(() => undefined) : undefined;
  if (bytes === undefined) return undefined;
  const root = firstDocument(bytes.toString('utf8'));
  for (let length = path.length; length > 0; length--) {
    const node = nodeAt(root, path.slice(0, length));
    if (node !== undefined) return node.line;
  }
  return undefined;
}

function firstDocument(text: string): YamlNode | undefined {
  try {
    return readYamlNodes(text)[0];
  } catch {
    // Somebody wrote the file since it was read: no line is known.
    return undefined;
  }
}
