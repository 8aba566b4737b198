import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import type { BuiltCli } from '../../support/program/build-cli.ts';

export const SHELL_NAMES = ['bash', 'zsh', 'fish'] as const;
export type ShellName = (typeof SHELL_NAMES)[number];

const SHOW = '\x07';
/** The line that Ctrl-G shows, between markers that nothing else writes. */
const SHOWN = /<<(.*?)>>\r?\n/s;
const READY = 'ready to type';

/** Makes Ctrl-G show and clear the line, in each shell's own way; then loads logtool's script. */
const SETUP: Readonly<Record<ShellName, string>> = {
  bash: `PS1='> '
show() { printf '\\n<%s%s>\\n' "<$READLINE_LINE" ">"; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\\C-g": show'
bind 'set bell-style none'
bind 'set page-completions off'
bind 'set completion-query-items 0'
source <(logtool completion bash)
set -u
`,
  zsh: `PS1='> '
unsetopt beep zle_bracketed_paste
autoload -Uz compinit && compinit -D -u
show() { print -r -- "<""<$BUFFER>"">" >$TTY; BUFFER= }
zle -N show
bindkey -e
bindkey '^G' show
LISTMAX=0
source <(logtool completion zsh)
`,
  fish: `function fish_prompt; echo '> '; end
function fish_greeting; end
function show; printf '\\n<%s%s>\\n' "<"(commandline | string collect) ">"; commandline -r ""; commandline -f repaint; end
bind \\cg show
logtool completion fish | source
`,
};

/** Starts each shell without the user's settings, reading `setup` first. */
function commandOf(name: ShellName, setup: string): readonly string[] {
  if (name === 'bash') return ['--noprofile', '--rcfile', setup, '-i'];
  if (name === 'zsh') return ['-f', '-i'];
  return ['--no-config', '-i', '-C', `source ${setup}`];
}

export interface ShellSession {
  /**
   * Types keys into an empty line (\`\\t\` is Tab). Resolves with the resulting line, and everything sent to
   * the terminal meanwhile.
   */
  type(keys: string): Promise<{ readonly line: string; readonly screen: string }>;
  close(): void;
}

/** Makes a folder for PATH that contains the program under its names. */
export async function programFolder(cli: BuiltCli): Promise<string> {
  const folder = join(cli.folder, 'bin');
  await mkdir(folder, { recursive: true });
  const target = cli.command.at(-1) ?? '';
  for (const name of ['logtool', 'kubectl-logtool', 'kubectl_complete-logtool'])
    await symlink(target, join(folder, name));
  return folder;
}

/** Starts a real shell on a pseudo-terminal, ready for input. */
export async function startShell(
  name: ShellName,
  path: string,
  machine: { readonly bin: string; readonly home: string; readonly env: Readonly<Record<string, string>> },
): Promise<ShellSession> {
  await mkdir(machine.home, { recursive: true });
  const setup = join(machine.home, `setup.${name}`);
  await writeFile(setup, SETUP[name]);
  const terminal = spawn(path, [...commandOf(name, setup)], {
    cols: 120,
    rows: 40,
    cwd: machine.home,
    env: {
      PATH: [machine.bin, process.env.PATH].join(delimiter),
      HOME: machine.home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      // Long enough for a busy machine.
      LOGTOOL_COMPLETION_TIMEOUT: '100',
      ...machine.env,
    },
  });
  let written = '';
  let wake = () => {};
  let hasEnded = false;
  terminal.onData((data) => {
    written += data;
    wake();
  });
  terminal.onExit(() => {
    hasEnded = true;
    wake();
  });
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(written);
      if (found !== null) return found;
      if (hasEnded) throw new Error(`${name} ended early: ${JSON.stringify(written)}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const type = async (keys: string) => {
    written = '';
    terminal.write(`${keys}${SHOW}`);
    const { 1: line = '', index } = await until(SHOWN);
    return { line, screen: written.slice(0, index) };
  };
  if (name === 'zsh') terminal.write(`source ${setup}\r`);
  terminal.write(`echo ready to ${name === 'fish' ? '""' : "''"}type\r`);
  await until(new RegExp(READY));
  return { type, close: () => terminal.kill() };
}
