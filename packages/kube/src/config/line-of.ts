import { stat } from 'node:fs/promises';
import { isNode, LineCounter, parseDocument } from 'yaml';
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
  const lines = new LineCounter();
  const document = parseDocument(bytes.toString('utf8'), {
    lineCounter: lines,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}
