/**
 * Returns the paths of repeated fields in a JSON text, such as `spec.replicas`; JSON.parse ignores repetition. The text
 * must be valid JSON.
 */
export function duplicateFields(text: string): readonly string[] {
  const found: string[] = [];
  let at = 0;
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  const string = (): string => {
    const start = at;
    at += 1;
    while (text[at] !== '"' && at < text.length) at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  };
  const object = (path: string): void => {
    const seen = new Set<string>();
    at += 1;
    for (skip(); text[at] !== '}'; skip()) {
      if (text[at] === ',') {
        at += 1;
        continue;
      }
      const key = string();
      const here = path === '' ? key : `${path}.${key}`;
      if (seen.has(key)) found.push(here);
      seen.add(key);
      skip();
      at += 1;
      value(here);
    }
    at += 1;
  };
  const array = (path: string): void => {
    at += 1;
    let index = 0;
    for (skip(); text[at] !== ']'; skip()) {
      if (text[at] === ',') {
        at += 1;
        continue;
      }
      value(`${path}[${index}]`);
      index += 1;
    }
    at += 1;
  };
  const value = (path: string): void => {
    skip();
    if (text[at] === '{') object(path);
    else if (text[at] === '[') array(path);
    else if (text[at] === '"') string();
    else while (at < text.length && !/[,\]}\s]/.test(text[at] ?? '')) at += 1;
  };
  value('');
  return found;
}
