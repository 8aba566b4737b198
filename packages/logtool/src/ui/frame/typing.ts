/**
 * Whether keys go to a field. In a text field single letters are text, not commands; in a list of choices
 * they select one.
 */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement ||
      isTextField(target))
  );
}

function isTextField(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|range)$/.test(target.type);
}
