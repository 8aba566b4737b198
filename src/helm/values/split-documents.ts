/** The YAML documents of a text, split at lines that begin with `---`, as Kubernetes' reader of several documents does. */
export function splitYamlDocuments(text: string): string[] {
  const documents: string[] = [];
  let lines: string[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    if (/^---\s*$/.test(line) || /^---\s/.test(line)) {
      if (lines.length > 0) documents.push(lines.join(''));
      lines = [];
    } else {
      lines.push(line);
    }
  }
  if (lines.length > 0) documents.push(lines.join(''));
  return documents;
}
