/**
 * A message that is a JSON object, as one line that may stand inside other JSON; undefined for any other. The text
 * itself: parsing and writing it again would round large numbers.
 */
export function embeddableJson(message: string): string | undefined {
  const text = message.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  // The only control characters left are blanks between tokens; a CR would break the line for some readers.
  return text.replaceAll(/[\r\n\t]/g, ' ');
}
