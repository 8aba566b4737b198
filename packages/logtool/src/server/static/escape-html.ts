/** Escapes text for HTML, including attributes: it ends no tag and no quotation mark. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
