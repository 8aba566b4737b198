import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { OutputStream } from '../../context.ts';
import { StatusLine } from '../progress/status-line.ts';

/** Standard error: notices on lines of their own, and one progress line that later text overwrites. */
export interface Notifier {
  line(text: string): Promise<void>;
  /** Prints a line with colors, whose text is the program's own or sanitized. */
  colored(text: string): Promise<void>;
  /** Shows the text only on a terminal. */
  progress(text: string): Promise<void>;
  /** Erases the progress line before a write to standard error. */
  clear(): Promise<void>;
}

export function createNotifier(stderr: OutputStream, status = new StatusLine(stderr)): Notifier {
  const colored = async (text: string) => {
    await status.clear();
    await stderr.write(`${text}\n`);
  };
  return {
    clear: () => status.clear(),
    colored,
    line: (text) => colored(sanitizeText(text)),
    progress: (text) => status.show(text),
  };
}
