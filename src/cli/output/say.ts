import { sanitizeText } from '../../domain/sanitize.ts';
import type { OutputStream } from '../context.ts';

/** Standard error: notices on lines of their own, and one line of progress that is written over. */
export interface Say {
  line(text: string): Promise<void>;
  /** Shown on a terminal only. */
  progress(text: string): Promise<void>;
  /** Takes the line of progress away, before standard output is written to. */
  clear(): Promise<void>;
}

export function createSay(stderr: OutputStream): Say {
  let shown = false;
  const clear = async () => {
    if (!shown) return;
    shown = false;
    await stderr.write('\r\x1b[2K');
  };
  return {
    clear,
    async line(text) {
      await clear();
      await stderr.write(`${sanitizeText(text)}\n`);
    },
    async progress(text) {
      if (!stderr.isTTY) return;
      // 0 is a terminal that has not been told its size.
      const width = (stderr.columns || 80) - 1;
      const shownText = sanitizeText(text);
      const cut = shownText.length > width ? `${shownText.slice(0, width - 1)}…` : shownText;
      await stderr.write(`\r\x1b[2K${cut}`);
      shown = true;
    },
  };
}
