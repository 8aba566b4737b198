import type { IPty } from '@lydell/node-pty';

/** Closes its window: what runs in it is told, and what it writes then fails. */
export function closeTerminal(terminal: IPty): void {
  if (!('destroy' in terminal) || typeof terminal.destroy !== 'function')
    throw new Error('it cannot be closed');
  terminal.destroy();
}
