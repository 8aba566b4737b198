import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Emission } from '../program.ts';
import type { Random } from '../random.ts';
import { arithmetic } from './arithmetic.ts';
import { BUILTINS } from './builtins.ts';
import type { Command, List, Pipeline, Redirect, Word } from './syntax.ts';

/** Time that one command takes, so that a loop without sleep comes to an end of each moment. */
const COMMAND_MS = 0.02;
/** What a pipe or a substitution takes from a writer without end. */
const MOST_PIPED_BYTES = 1024 * 1024;
/** After that many commands without output the script gives others a turn. */
const COMMANDS_A_TURN = 2000;

export interface ShellState {
  readonly variables: Map<string, string>;
  /** Files that scripts of the same pod leave behind: path to content. */
  readonly files: Map<string, string>;
  readonly random: Random;
  nowMs: number;
  status: number;
  silentCommands: number;
}

/** `exit`, from anywhere inside. */
export class ShellExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super('exit');
    this.code = code;
  }
}

/** `sleep infinity` and the like: nothing comes behind it. */
export class ShellForever extends Error {}
class LoopControl extends Error {
  readonly action: 'break' | 'continue';
  constructor(action: 'break' | 'continue') {
    super(action);
    this.action = action;
  }
}

type Run = Generator<Emission, void>;

/** Runs a list of commands; yields what it writes. Ends with ShellExit or ShellForever where the script does. */
export function* runList(list: List, state: ShellState): Run {
  for (const pipeline of list) {
    if (pipeline.when === 'success' && state.status !== 0) continue;
    if (pipeline.when === 'failure' && state.status === 0) continue;
    yield* runPipeline(pipeline, state);
    if (pipeline.negated) state.status = state.status === 0 ? 1 : 0;
  }
}

function* runPipeline(pipeline: Pipeline, state: ShellState): Run {
  let input = '';
  for (const [index, { command, redirects }] of pipeline.commands.entries()) {
    const last = index === pipeline.commands.length - 1;
    const collected: Buffer[] = [];
    let collectedBytes = 0;
    for (const emission of runCommand(command, redirects, input, state)) {
      if (last || emission.stream === 'stderr') yield emission;
      else {
        collected.push(Buffer.from(emission.bytes), Buffer.from(emission.newline ? '\n' : ''));
        collectedBytes += emission.bytes.length + 1;
        if (collectedBytes > MOST_PIPED_BYTES) break;
      }
    }
    input = Buffer.concat(collected).toString('latin1');
  }
}

function* runCommand(
  command: Command,
  redirects: readonly Redirect[],
  input: string,
  state: ShellState,
): Run {
  if (redirects.length === 0) {
    yield* runBare(command, input, state);
    return;
  }
  const toFile = new Map<string, string[]>();
  const targets = streamTargets(redirects, state, toFile);
  for (const emission of runBare(command, input, state)) {
    const target = targets[emission.stream];
    if (target === 'stdout' || target === 'stderr') yield { ...emission, stream: target };
    else
      toFile.get(target)?.push(Buffer.from(emission.bytes).toString('latin1'), emission.newline ? '\n' : '');
  }
  for (const [path, texts] of toFile) {
    if (path !== '/dev/null') state.files.set(path, texts.join(''));
  }
}

/** Where stdout and stderr go: a stream, or the path of a file. */
function streamTargets(redirects: readonly Redirect[], state: ShellState, toFile: Map<string, string[]>) {
  const targets = { stdout: 'stdout', stderr: 'stderr' };
  for (const { from, append, target } of redirects) {
    const own = from === 1 ? 'stdout' : 'stderr';
    if (target.kind === 'stream') {
      targets[own] = targets[target.to === 1 ? 'stdout' : 'stderr'];
      continue;
    }
    const path = expandOne(target.word, state);
    if (['/dev/stdout', '/proc/1/fd/1', '/proc/self/fd/1'].includes(path)) targets[own] = 'stdout';
    else if (['/dev/stderr', '/proc/1/fd/2', '/proc/self/fd/2'].includes(path)) targets[own] = 'stderr';
    else {
      targets[own] = path;
      toFile.set(path, append ? [state.files.get(path) ?? ''] : []);
    }
  }
  return targets;
}

function* runBare(command: Command, input: string, state: ShellState): Run {
  switch (command.kind) {
    case 'simple':
      yield* runSimple(command, input, state);
      return;
    case 'group':
      yield* runList(command.body, state);
      return;
    case 'if':
      for (const { condition, body } of command.branches) {
        yield* runList(condition, state);
        if (state.status === 0) {
          yield* runList(body, state);
          return;
        }
      }
      state.status = 0;
      if (command.otherwise !== undefined) yield* runList(command.otherwise, state);
      return;
    case 'for':
      for (const word of command.words.flatMap((w) => expand(w, state))) {
        state.variables.set(command.name, word);
        if (yield* runBody(command.body, state)) return;
      }
      return;
    case 'while':
      for (;;) {
        yield* runList(command.condition, state);
        if ((state.status === 0) === command.until) break;
        if (yield* runBody(command.body, state)) break;
      }
      state.status = 0;
  }
}

/** True when the loop is left. */
function* runBody(body: List, state: ShellState): Generator<Emission, boolean> {
  try {
    yield* runList(body, state);
    return false;
  } catch (control) {
    if (control instanceof LoopControl) return control.action === 'break';
    throw control;
  }
}

function* runSimple(command: Extract<Command, { kind: 'simple' }>, input: string, state: ShellState): Run {
  for (const { name, value } of command.assignments) state.variables.set(name, expandOne(value, state));
  let [name, ...args] = command.words.flatMap((word) => expand(word, state));
  state.nowMs += COMMAND_MS;
  if (++state.silentCommands > COMMANDS_A_TURN) yield emission('', 'stdout', state);
  if (name === undefined) {
    state.status = 0;
    return;
  }
  const replaces = name === 'exec';
  if (replaces) [name, ...args] = args;
  yield* runNamed(name ?? 'true', args, input, state);
  if (replaces && name !== undefined) throw new ShellExit(state.status);
}

/** Beside the builtins, what only a running script can do. */
const COMMANDS: readonly string[] = ['exit', 'exec', 'export', 'sleep', 'tail', 'yes'];

export function isShellCommand(name: string): boolean {
  return COMMANDS.includes(name) || Object.hasOwn(BUILTINS, name);
}

function* runNamed(name: string, args: readonly string[], input: string, state: ShellState): Run {
  switch (name) {
    case 'exit':
      throw new ShellExit(Number(args[0] ?? state.status) & 0xff);
    case 'break':
    case 'continue':
      throw new LoopControl(name);
    case 'sleep':
      if (args[0] === 'infinity' || args[0] === 'inf') throw new ShellForever();
      state.nowMs += sleepMs(args[0] ?? '0');
      state.status = 0;
      return;
    case 'tail':
      if (args.includes('-f')) throw new ShellForever();
      break;
    case 'export':
      for (const [key, value] of args.map((arg) => arg.split(/=(.*)/s))) {
        if (key !== undefined && value !== undefined) state.variables.set(key, value);
      }
      return;
    case 'yes':
      for (;;) yield emission(`${args[0] ?? 'y'}\n`, 'stdout', state);
  }
  const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  if (builtin === undefined) {
    state.status = 127;
    yield emission(`sh: ${name}: not found\n`, 'stderr', state);
    return;
  }
  const outcome = builtin({ args, input, files: state.files, nowMs: state.nowMs });
  state.status = outcome.status;
  if (outcome.out !== '') yield emission(outcome.out, 'stdout', state);
  if (outcome.err !== undefined) yield emission(outcome.err, 'stderr', state);
}

function emission(text: string, stream: 'stdout' | 'stderr', state: ShellState): Emission {
  state.silentCommands = 0;
  state.nowMs += COMMAND_MS;
  const newline = text.endsWith('\n');
  const bytes = Buffer.from(newline ? text.slice(0, -1) : text, 'latin1');
  const at = timestampFromMs(state.nowMs);
  return { kind: 'emission', dueMs: state.nowMs, at, stream, bytes, newline, partial: false };
}

/** Seconds, or with a unit: `0.5`, `2`, `1m`. */
function sleepMs(text: string): number {
  const match = /^(\d*\.?\d+)([smhd]?)$/.exec(text);
  const unit = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match?.[2] ?? ''] ?? 1000;
  return Number(match?.[1] ?? 0) * unit;
}

/** A word as the arguments that it becomes: unquoted expansions are split at blanks. */
function expand(word: Word, state: ShellState): readonly string[] {
  const fields: string[] = [];
  let open: string | undefined;
  for (const part of word) {
    const text = part.kind === 'text' ? part.text : expansionOf(part, state);
    if (part.quoted || part.kind === 'text') {
      open = (open ?? '') + text;
      continue;
    }
    const pieces = text.split(/[ \t\n]+/);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && open !== undefined) {
        fields.push(open);
        open = undefined;
      }
      if (piece !== '') open = (open ?? '') + piece;
    }
  }
  if (open !== undefined) fields.push(open);
  return fields;
}

function expandOne(word: Word, state: ShellState): string {
  return word.map((part) => (part.kind === 'text' ? part.text : expansionOf(part, state))).join('');
}

function expansionOf(part: Exclude<Word[number], { kind: 'text' }>, state: ShellState): string {
  switch (part.kind) {
    case 'arithmetic':
      return String(
        arithmetic(
          part.text,
          (name) => variable(name, state),
          (name, value) => state.variables.set(name, value),
        ),
      );
    case 'variable':
      return variable(part.name, state) || (part.fallback ?? '');
    case 'command': {
      const chunks: string[] = [];
      let taken = 0;
      for (const { bytes, newline } of runList(part.list, state)) {
        chunks.push(Buffer.from(bytes).toString('latin1'), newline ? '\n' : '');
        taken += bytes.length + 1;
        if (taken > MOST_PIPED_BYTES) break;
      }
      return chunks.join('').replace(/\n+$/, '');
    }
  }
}

function variable(name: string, state: ShellState): string {
  if (name === '?') return String(state.status);
  if (name === '$') return '1';
  if (name === 'RANDOM') return String(state.random.int(0, 32_767));
  return state.variables.get(name) ?? '';
}
