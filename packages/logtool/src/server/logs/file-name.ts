/** What no system takes in a name, and what would end the header. */
const UNFIT = /[^\p{L}\p{N}._-]+/gu;
const LONGEST = 120;

/** A name for a file of logs: the requested one, escaped, with the extension of its format. */
export function fileName(
  asked: string | undefined,
  sources: readonly string[],
  extension: string,
  nowMs: number,
): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const wanted = asked ?? `${sources[0] ?? 'logs'}${sources.length > 1 ? '-and-more' : ''}-${time}`;
  const end = `.${extension}`;
  // Cut first: half a surrogate pair that is left is unfit too.
  const plain = (wanted.endsWith(end) ? wanted.slice(0, -end.length) : wanted)
    .slice(0, LONGEST)
    .replace(UNFIT, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  return `${plain === '' ? 'logs' : plain}${end}`;
}

/** RFC 6266: a plain name for old clients, the whole one in UTF-8 (RFC 8187). */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
