/** Text for HTML, in an attribute too: it ends no tag and no quotation mark. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
