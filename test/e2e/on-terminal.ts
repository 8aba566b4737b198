import { spawn } from '@lydell/node-pty';

export interface Screen {
  readonly code: number;
  /** All that was written, standard output and standard error in their order, with the terminal's `\r\n`. */
  readonly text: string;
}

/**
 * Runs command lines one after the other on one pseudo-terminal. A shell keeps it open until everything was read, as
 * what is still on its way when a terminal closes may be lost.
 */
export function onTerminal(
  program: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  lines: readonly (readonly string[])[],
): Promise<readonly Screen[]> {
  const script = lines.map((line) => `${[...program, ...line].map(quoted).join(' ')}; echo "[exit $?]"`);
  const terminal = spawn('/bin/sh', ['-c', `${script.join('\n')}\nread _`], { cols: 100, rows: 30, env });
  return new Promise((resolve, reject) => {
    let written = '';
    terminal.onData((data) => {
      written += data;
      const screens = [...written.matchAll(/(.*?)\[exit (\d+)\]\r\n/gs)];
      if (screens.length < lines.length) return;
      terminal.kill();
      resolve(screens.map(([, text = '', code]) => ({ code: Number(code), text })));
    });
    terminal.onExit(() => reject(new Error(`the terminal closed too early: ${written}`)));
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
