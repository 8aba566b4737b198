/** Returns the quote that marks the end of a value, if it needs one: single around double ones, which stay as they are. */
export function quoteOf(value: string): '' | '"' | "'" {
  if (value !== '' && (!/[\s="]/.test(value) || /^[[{]/.test(value))) return '';
  return value.includes('"') && !value.includes("'") ? "'" : '"';
}
