/** As long as the contract lets one be that is typed. */
const MAX_LENGTH = 16_384;

/** Whether it has the form of a bearer token (RFC 6750, section 2.1). */
export function resemblesToken(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[\w.~+/-]+=*$/.test(text);
}

/** The bearer token that a request carries; undefined if it carries none, or credentials of another kind. */
export function bearerOf(request: Request): string | undefined {
  return /^bearer +(\S.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim();
}

/**
 * When a JSON web token says that it expires (RFC 7519, section 4.1.4), ms since the epoch; undefined if it does not
 * say or is none. Nobody has checked it: it may shorten a session, never lengthen one.
 */
export function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1_000 : undefined;
  } catch {
    // Other tokens have dots too.
    return undefined;
  }
}
