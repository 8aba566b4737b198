/** An instant as Go's JSON has it: RFC 3339 in UTC, with as many digits of the second as are not zero. */
export function formatInstantNs(atNs: bigint): string | undefined {
  const seconds = atNs >= 0n ? atNs / 1_000_000_000n : (atNs - 999_999_999n) / 1_000_000_000n;
  const fraction = String(atNs - seconds * 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const date = new Date(Number(seconds) * 1000);
  const year = date.getUTCFullYear();
  // Beyond these years there is no RFC 3339.
  if (!(year >= 0 && year <= 9999)) return undefined;
  return `${date.toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
}
