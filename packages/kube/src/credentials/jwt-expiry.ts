/**
 * When a JWT ends (RFC 7519 section 4.1.4), in ms since the epoch; undefined if that cannot be read. The signature
 * is for the server to check.
 */
export function jwtExpiryMs(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return undefined;
    return typeof claims.exp === 'number' && Number.isFinite(claims.exp) ? claims.exp * 1000 : undefined;
  } catch {
    // Not JSON: no expiry can be read, and the token is treated as one that has ended.
    return undefined;
  }
}
