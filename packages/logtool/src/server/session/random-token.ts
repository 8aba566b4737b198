import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns 256 random bits, unguessable, as text for URLs and headers. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether both are equal, in constant time that reveals no position of a difference. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
