import { YamlError } from '../yaml/yaml-error.ts';

/**
 * The YAML documents of a text, split at lines that begin with `---`, as Kubernetes' reader of several
 * documents does.
 * @throws YamlError if anything but a comment follows one
 */
export function splitYamlDocuments(text: string): string[] {
  const documents: string[] = [];
  let lines: string[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    if (!line.startsWith('---')) {
      lines.push(line);
      continue;
    }
    const rest = line.slice(3).trim();
    if (rest !== '' && !rest.startsWith('#')) {
      throw new YamlError(`error reading yaml document: invalid Yaml document separator: ${rest}`);
    }
    if (lines.length > 0) documents.push(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) documents.push(lines.join(''));
  return documents;
}
