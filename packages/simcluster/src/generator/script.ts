import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Emission, Program, Step } from './program.ts';
import type { Random } from './random.ts';
import { parseScript } from './shell/parse.ts';
import { isShellCommand, runList, ShellExit, ShellForever, type ShellState } from './shell/run.ts';
import { type List, ShellSyntaxError } from './shell/syntax.ts';

const SHELLS = ['sh', '/bin/sh', 'ash', '/bin/ash', 'bash', '/bin/bash'];

export interface ScriptInput {
  /** Command and arguments of the container. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files that earlier containers and runs of the pod left behind: path to content, one character a byte. */
  readonly files: Map<string, string>;
  readonly startMs: number;
  readonly random: Random;
}

/**
 * What a container does whose command somebody gave through the API: `sh -c SCRIPT` in a small part of the shell
 * language, or one plain command. What it cannot run ends as a shell ends: a line on stderr and a status.
 */
export function* scriptProgram(input: ScriptInput): Program & Generator<Step, undefined> {
  // The text is handled as bytes, one character each, so that UTF-8 passes through unharmed.
  const state: ShellState = {
    variables: new Map(Object.entries(input.env).map(([name, value]) => [name, asBytes(value)])),
    files: input.files,
    random: input.random,
    nowMs: input.startMs,
    status: 0,
    silentCommands: 0,
  };
  try {
    yield* runList(listOf(input.words, state), state);
  } catch (end) {
    if (end instanceof ShellForever) return undefined;
    if (end instanceof ShellExit) state.status = end.code;
    else if (end instanceof ShellSyntaxError) {
      state.status = 2;
      yield complaint(`sh: syntax error: ${end.message}`, state);
    } else throw end;
  }
  const reason = state.status === 0 ? 'Completed' : 'Error';
  yield { kind: 'exit', dueMs: state.nowMs, code: state.status, reason };
  return undefined;
}

/** Whether that is a command that can be run here; else it is a program of the image. */
export function isScript(words: readonly string[]): boolean {
  const [name = ''] = words;
  return SHELLS.includes(name) || isShellCommand(name);
}

function listOf(words: readonly string[], state: ShellState): List {
  const script = words.indexOf('-c') === 1 || /^-\w*c$/.test(words[1] ?? '') ? words[2] : undefined;
  if (SHELLS.includes(words[0] ?? '') && script !== undefined) {
    for (const [index, word] of words.slice(3).entries()) state.variables.set(String(index), asBytes(word));
    return parseScript(asBytes(script));
  }
  const quoted = words.map((word) => [{ kind: 'text', text: asBytes(word), quoted: true } as const]);
  const command = { kind: 'simple', assignments: [], words: quoted } as const;
  return [{ negated: false, when: 'always', background: false, commands: [{ command, redirects: [] }] }];
}

function complaint(text: string, state: ShellState): Emission {
  const bytes = Buffer.from(text, 'latin1');
  const { nowMs } = state;
  return {
    kind: 'emission',
    dueMs: nowMs,
    at: timestampFromMs(nowMs),
    stream: 'stderr',
    bytes,
    newline: true,
    partial: false,
  };
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
