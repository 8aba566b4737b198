/** Replaces fields that differ between clusters by a word, so that they must still be present. */
export function withoutVolatile(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (key === 'resourceVersion' && typeof inner === 'string') return inner === '' ? '' : 'N';
      if (key === 'continue' && typeof inner === 'string') return continuePosition(inner);
      if (key === 'message' && typeof inner === 'string') return inner.replace(VERSION_IN_TEXT, '$1N$2');
      if (key === 'authentication.kubernetes.io/credential-id') return 'fingerprint';
      return inner;
    }),
  );
}

const VERSION_IN_TEXT = /(current: |too old resource version: \d+ \()\d+(\)?)/g;

/** Returns a continue token without its resourceVersion, unless that is -1. */
function continuePosition(token: string): string {
  const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as {
    rv: number;
    start: string;
  };
  return `${rv === -1 ? 'now' : 'then'}:${start}`;
}

/** Sorts the rules of a review: a real server lists bindings in no fixed order. */
export function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(inOneOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inOneOrder(inner)]));
}
