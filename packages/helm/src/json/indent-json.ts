/** Compact JSON with a line for each value; the order of its keys stays. The first line is not indented. */
export function indentJson(json: string, indent: string, depth = 0): string {
  let level = depth;
  const breakLine = () => `\n${indent.repeat(level)}`;
  return json.replace(TOKENS, (token) => {
    if (token === '{' || token === '[') {
      level++;
      return token + breakLine();
    }
    if (token === '}' || token === ']') {
      level--;
      return breakLine() + token;
    }
    if (token === ',') return `,${breakLine()}`;
    return token === ':' ? ': ' : token;
  });
}

/** Strings and empty collections are passed over as a whole. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g;
