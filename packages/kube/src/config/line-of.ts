import { stat } from 'node:fs/promises';
import { nodeAt, readYamlNodes, type YamlNode } from '../yaml/nodes.ts';
import { readSmallFile } from './read-file.ts';

/**
 * Returns the line (from 1) of a field in a YAML or JSON file, or of its parent if the field itself cannot be found.
 * Returns undefined if the file cannot be read again, such as a pipe. Only for messages, because it parses the file a
 * second time.
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
    // Another process changed the file after the first read, so the line is unknown.
    return undefined;
  }
}
