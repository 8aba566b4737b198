/**
 * Returns a message that is a JSON object as one line that other JSON may contain; undefined for any other message.
 * Keeps the text itself: parsing and writing it again would round large numbers.
 */
export function embeddableJson(message: string): string | undefined {
  const text = message.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  // The only remaining control characters are blanks between tokens; a CR would break the line for some readers.
  return text.replaceAll(/[\r\n\t]/g, ' ');
}
