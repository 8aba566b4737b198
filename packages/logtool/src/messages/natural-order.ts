/**
 * Compares names in natural order: `service-2` before `service-10`. Otherwise by code units, because Kubernetes names
 * are ASCII and a collator takes fifty times as long for 10,000 rows.
 */
export function compareNatural(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (isDigit(a, at) || isDigit(b, at)) {
    // The number in both names may begin before the first difference.
    let start = at;
    while (isDigit(a, start - 1)) start--;
    const order = compareDigits(digitsAt(a, start), digitsAt(b, start));
    if (order !== 0) return order;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function digitsAt(text: string, start: number): string {
  let end = start;
  while (isDigit(text, end)) end++;
  return text.slice(start, end).replace(/^0+(?=\d)/, '');
}

/** Returns 0 also if one of them is not a number. */
function compareDigits(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
