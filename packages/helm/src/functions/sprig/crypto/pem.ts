/** A block of RFC 7468. */
export interface PemBlock {
  readonly type: string;
  readonly bytes: Buffer;
}

export function writePem({ type, bytes }: PemBlock): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');
}

/** Returns the first block of a text. */
export function readPem(text: string): PemBlock | undefined {
  for (const { 1: type = '', index } of text.matchAll(/^-----BEGIN ([^\r\n]*)-----[ \t\r]*$/gm)) {
    const bodyStart = text.indexOf('\n', index);
    const end = `-----END ${type}-----`;
    const bodyEnd = text.indexOf(end, bodyStart);
    if (bodyStart === -1 || bodyEnd === -1) continue;
    if (!/^[ \t]*\r?(\n|$)/.test(text.slice(bodyEnd + end.length, bodyEnd + end.length + 100))) continue;
    const body = text.slice(bodyStart, bodyEnd).replace(/\s/g, '');
    if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(body))
      return { type, bytes: Buffer.from(body, 'base64') };
  }
  return undefined;
}
