/** Formats an instant like Go's JSON: RFC 3339 in UTC, without trailing zeros in the fraction of a second. */
export function formatInstantNs(atNs: bigint): string | undefined {
  const seconds = atNs >= 0n ? atNs / 1_000_000_000n : (atNs - 999_999_999n) / 1_000_000_000n;
  const fraction = String(atNs - seconds * 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const date = new Date(Number(seconds) * 1000);
  const year = date.getUTCFullYear();
  // RFC 3339 has no other years.
  if (!(year >= 0 && year <= 9999)) return undefined;
  return `${date.toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
}
