import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { OutputStream } from '../../context.ts';
import { StatusLine } from '../progress/status-line.ts';

/** Standard error: notices on lines of their own, and one line of progress that is written over. */
export interface Notifier {
  line(text: string): Promise<void>;
  /** A line with colours, whose text is the program's own or sanitized. */
  colored(text: string): Promise<void>;
  /** Shown on a terminal only. */
  progress(text: string): Promise<void>;
  /** Takes the line of progress away, before something else is written to standard error. */
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
