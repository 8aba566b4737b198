/** Makes a sentence of the server's text: the command line prefixes `error:`, the page nothing. */
export function sentence(text: string): string {
  // Names and addresses (`kubectl`, `https://`, `10.0.0.9`) do not change.
  return /^(?!kubectl\b|logtool\b)[a-z]+[\s,;']/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}
