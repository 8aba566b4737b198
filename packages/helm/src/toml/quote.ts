const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

/** Writes a TOML key: bare if possible. */
export function quotedKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quotedText(key);
}

/** Writes a basic TOML string. */
export function quotedText(text: string): string {
  const escaped = (character: string) =>
    SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `"${text.replace(/["\\\u0000-\u001f\u007f]/g, escaped)}"`;
}
