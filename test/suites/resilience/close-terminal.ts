import type { IPty } from '@lydell/node-pty';

/** Closes the terminal's window: its programs get a signal, and their later writes fail. */
export function closeTerminal(terminal: IPty): void {
  if (!('destroy' in terminal) || typeof terminal.destroy !== 'function')
    throw new Error('it cannot be closed');
  terminal.destroy();
}
