interface Entry {
  readonly name: string;
  isDirectory(): boolean;
}

/** Lists a directory as Go's http.FileServer does: a page of links sorted by name, directories with a slash. */
export function directoryPage(entries: readonly Entry[]): string {
  const names = entries
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  const links = names.map((name) => `<a href="${escapeHtml(escapePath(name))}">${escapeHtml(name)}</a>\n`);
  return `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links.join('')}</pre>\n`;
}

/** Escapes a path as Go's url.URL does. */
function escapePath(name: string): string {
  const path = encodeURIComponent(name).replace(/%(24|26|2B|2C|2F|3A|3B|3D|40)/g, (escaped) =>
    decodeURIComponent(escaped),
  );
  const escaped = path.replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  // A colon in the first segment would look like a scheme.
  return escaped.split('/')[0]?.includes(':') ? `./${escaped}` : escaped;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;');
}
