import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * On exit, Node restores each terminal, and aborts if that fails because the window was closed. This closes
 * such descriptors first.
 */
export function outliveTerminal(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  if (terminals.length === 0) return;
  process.on('exit', () => {
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}
