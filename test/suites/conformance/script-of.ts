/** Output of one run of a container, in the terms of a scenario's container. */
export interface Run {
  readonly lines?: readonly Line[];
  /** Undefined: the container keeps running. */
  readonly exit?: { readonly code?: number; readonly after?: `${number}s` };
}

type Line =
  | string
  | {
      /** `{n}` is replaced by the number of the repetition, from 1. */
      readonly text?: string;
      readonly base64?: string;
      readonly stream?: 'stdout' | 'stderr';
      /** Delay before the line, and before each repetition. */
      readonly after?: `${number}s`;
      readonly repeat?: number;
      /** Repeats the text, one character, up to this many bytes. */
      readonly pad?: number;
      readonly newline?: boolean;
    };

/**
 * Behavior of a container: the same in each run, or one per run, the last of which applies to all later runs.
 */
export type Behavior = Run | { readonly runs: readonly Run[] };

/** The folder in which a container with several runs counts them; its pod must mount a volume there. */
export const STATE_FOLDER = '/state';

/** Returns the same behavior as a script for a plain busybox shell, for a cluster that runs programs. */
export function scriptOf(behavior: Behavior): string {
  if (!('runs' in behavior)) return scriptOfRun(behavior);
  const file = `${STATE_FOLDER}/runs`;
  const last = behavior.runs.length - 1;
  const cases = behavior.runs.map((run, index) => `${index === last ? '*' : index}) ${scriptOfRun(run)};;`);
  const count = `run=$(cat ${file} 2>/dev/null || echo 0); echo $((run+1)) >${file}`;
  return `${count}; case "$run" in ${cases.join(' ')} esac`;
}

function scriptOfRun({ lines = [], exit }: Run): string {
  const end = exit === undefined ? 'sleep 3600' : `sleep ${seconds(exit.after)}; exit ${exit.code ?? 0}`;
  return [...lines.map(scriptOfLine), end].join('; ');
}

function scriptOfLine(line: Line): string {
  if (typeof line === 'string') return scriptOfLine({ text: line });
  const { repeat = 1, after, stream = 'stdout' } = line;
  const write = `{ ${bytesOf(line)}; } ${stream === 'stderr' ? '>&2' : ''}`;
  const once = after === undefined ? write : `sleep ${seconds(after)}; ${write}`;
  return repeat === 1 ? once : `n=0; while [ $n -lt ${repeat} ]; do n=$((n+1)); ${once}; done`;
}

function bytesOf({ text = '', base64, pad, newline = true }: Exclude<Line, string>): string {
  const end = newline ? '; echo' : '';
  if (base64 !== undefined) return `printf %s '${base64}' | base64 -d${end}`;
  if (pad !== undefined) return `head -c ${pad} /dev/zero | tr '\\0' '${text}'${end}`;
  return `printf %s "${text.replaceAll('{n}', '$n')}"${end}`;
}

function seconds(duration = '0s'): string {
  return duration.slice(0, -1);
}
