/** Gives the focus to the log: what had it is done with, and may be gone. */
export function focusLog(): void {
  document.querySelector<HTMLElement>('.log-scroll')?.focus({ preventScroll: true });
}

/**
 * Gives the log the focus that nobody asked for, so that its keys work from the start: no frame stands around it before
 * the first key, or until it has lost the focus once. Returns what ends that.
 */
export function focusQuietly(log: HTMLElement): () => void {
  log.dataset.quiet = '';
  const show = () => {
    delete log.dataset.quiet;
    document.removeEventListener('keydown', show, true);
    log.removeEventListener('blur', onBlur);
  };
  // Another window took it: it comes back as it was.
  const onBlur = () => {
    if (document.activeElement !== log) show();
  };
  document.addEventListener('keydown', show, true);
  log.addEventListener('blur', onBlur);
  log.focus({ preventScroll: true });
  return show;
}
