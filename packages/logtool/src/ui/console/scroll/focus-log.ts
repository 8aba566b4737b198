/** Focuses the log after the previously focused element has served its purpose or may be removed. */
export function focusLog(): void {
  document.querySelector<HTMLElement>('.log-scroll')?.focus({ preventScroll: true });
}

/**
 * Focuses the log without a user action, so that its keys work from the start. Hides the focus outline until the first
 * key, or until the log has lost the focus once. Returns a function that ends that.
 */
export function focusQuietly(log: HTMLElement): () => void {
  log.dataset.quiet = '';
  const show = () => {
    delete log.dataset.quiet;
    document.removeEventListener('keydown', show, true);
    log.removeEventListener('blur', onBlur);
  };
  // Another window took the focus: it returns unchanged.
  const onBlur = () => {
    if (document.activeElement !== log) show();
  };
  document.addEventListener('keydown', show, true);
  log.addEventListener('blur', onBlur);
  log.focus({ preventScroll: true });
  return show;
}
