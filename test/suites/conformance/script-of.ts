/** What one run of a container writes, in the words of a scenario's container. */
export interface Run {
  readonly lines?: readonly Line[];
  /** Without it the container keeps running. */
  readonly exit?: { readonly code?: number; readonly after?: `${number}s` };
}

type Line =
  | string
  | {
      /** `{n}` in it is the number of the repetition, from 1. */
      readonly text?: string;
      readonly base64?: string;
      readonly stream?: 'stdout' | 'stderr';
      /** Time before it, and before each repetition. */
      readonly after?: `${number}s`;
      readonly repeat?: number;
      /** The text, one character, is repeated up to that many bytes. */
      readonly pad?: number;
      readonly newline?: boolean;
    };

/** What a container does: the same in each of its runs, or one thing a run, the last for all later ones. */
export type Behavior = Run | { readonly runs: readonly Run[] };

/** The folder in which a container with several runs counts them: its pod must have a volume there. */
export const STATE_FOLDER = '/state';

/** The same as a script of a plain busybox shell, for a cluster that runs programs. */
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
