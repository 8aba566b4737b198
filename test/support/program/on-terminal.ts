import { spawn } from '@lydell/node-pty';

export interface Screen {
  readonly code: number;
  /**
   * All output, standard output and standard error in order, with the terminal's `\r
   * `; without the erased status lines, because a slow machine shows more of them.
   */
  readonly text: string;
}

/** One or more status lines, each overwritten by the next, and the last one erased. */
const ERASED = /(?:\r\x1b\[2K[^\r\n\x1b]+)+\r\x1b\[2K/g;

/** Gets all output so far, whenever there is more, and may type: `\x03` is Ctrl-C. */
export type Watch = (written: string, type: (keys: string) => void) => void;

/**
 * Runs command lines one after the other on one pseudo-terminal. A shell keeps it open until everything is
 * read, because closing a terminal may lose pending output; the shell survives a Ctrl-C, which is for the
 * program.
 */
export function onTerminal(
  program: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  lines: readonly (readonly string[])[],
  watch?: Watch,
): Promise<readonly Screen[]> {
  const script = lines.map((line) => `${[...program, ...line].map(quoted).join(' ')}; echo "[exit $?]"`);
  const terminal = spawn('/bin/sh', ['-c', `trap : INT\n${script.join('\n')}\nread _`], {
    cols: 100,
    rows: 30,
    env,
  });
  return new Promise((resolve, reject) => {
    let written = '';
    terminal.onData((data) => {
      written += data;
      watch?.(written, (keys) => terminal.write(keys));
      // Texts and exit codes alternate; after the last code comes nothing, or unfinished output.
      const sections = written.split(/\[exit (\d+)\]\r\n/);
      if (sections.length <= 2 * lines.length) return;
      terminal.kill();
      resolve(
        lines.map((_, at) => ({
          text: (sections[2 * at] ?? '').replace(ERASED, ''),
          code: Number(sections[2 * at + 1]),
        })),
      );
    });
    terminal.onExit(() => reject(new Error(`the terminal closed too early: ${written}`)));
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
