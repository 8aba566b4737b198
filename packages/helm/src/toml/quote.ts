const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

/** A key as TOML has it: bare where it can be. */
export function quotedKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quotedText(key);
}

/** A basic string of TOML. */
export function quotedText(text: string): string {
  const escaped = (character: string) =>
    SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `"${text.replace(/["\\\u0000-\u001f\u007f]/g, escaped)}"`;
}
