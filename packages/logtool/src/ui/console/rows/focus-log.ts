/** Gives the focus to the log: what had it is done with, and may be gone. */
export function focusLog(): void {
  document.querySelector<HTMLElement>('.log-scroll')?.focus({ preventScroll: true });
}
