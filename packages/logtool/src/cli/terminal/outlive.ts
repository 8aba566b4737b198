import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * When it ends, Node sets each terminal back to what it was, and aborts where that fails: the window was closed. What is
 * closed by then is left alone.
 */
export function outliveTerminal(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  if (terminals.length === 0) return;
  process.on('exit', () => {
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}
