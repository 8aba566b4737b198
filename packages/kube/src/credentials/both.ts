import type { Credential, Grant } from './credential.ts';

/** A client certificate beside another credential: both go with each request, as kubectl sends them. */
export function bothCredentials(certificate: Credential, other: Credential): Credential {
  const parts = new WeakMap<Grant, readonly [Grant, Grant]>();
  let current: Grant | undefined;
  return {
    async grant(signal) {
      const a = await certificate.grant(signal);
      const b = await other.grant(signal);
      const last = current === undefined ? undefined : parts.get(current);
      if (current !== undefined && last?.[0] === a && last[1] === b) return current;
      current = { authorization: b.authorization, certificate: a.certificate ?? b.certificate };
      parts.set(current, [a, b]);
      return current;
    },
    async renew(sent, signal) {
      const [a, b] = parts.get(sent) ?? [sent, sent];
      const renewed = await certificate.renew(a, signal);
      return (await other.renew(b, signal)) || renewed;
    },
    close() {
      certificate.close();
      other.close();
    },
  };
}
