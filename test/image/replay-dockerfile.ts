import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { type Instruction, type Stage, wordsOf } from './parse-dockerfile.ts';

/** What a stage came to: its files below `root`, and how a container of it starts. */
export interface Built {
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  readonly labels: Record<string, string>;
  readonly arguments: Record<string, string>;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  ports: readonly string[];
}

interface Replay {
  /** The folder of the build context. */
  readonly context: string;
  /** The stages go below it, each into a folder of its own. */
  readonly folder: string;
  readonly buildArguments: Readonly<Record<string, string>>;
  /** The environment of RUN, beside what the stage sets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Does without Docker what the instructions of the stages do, and gives the last stage. Images are not pulled: RUN uses
 * the programs of this machine, in the stage's folder. An instruction that is not known here throws.
 */
export async function replayDockerfile(stages: readonly Stage[], replay: Replay): Promise<Built> {
  const built = new Map<string, Built>();
  let last: Built | undefined;
  for (const [index, stage] of stages.entries()) {
    last = newStage(join(replay.folder, `stage-${index}`));
    await mkdir(last.root, { recursive: true });
    for (const instruction of stage.instructions) await run(instruction, last, built, replay);
    built.set(stage.name ?? String(index), last);
  }
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  return last;
}

function newStage(root: string): Built {
  const lists = { entrypoint: [], command: [], ports: [] };
  return { root, workdir: '/', env: {}, labels: {}, arguments: {}, user: '', ...lists };
}

async function run(
  { name, text }: Instruction,
  stage: Built,
  built: ReadonlyMap<string, Built>,
  replay: Replay,
) {
  switch (name) {
    case 'WORKDIR':
      stage.workdir = posix.resolve(stage.workdir, text);
      await mkdir(join(stage.root, stage.workdir), { recursive: true });
      return;
    case 'ARG':
      Object.assign(stage.arguments, argument(text, replay.buildArguments));
      return;
    case 'ENV':
      Object.assign(stage.env, pairsOf(text, stage));
      return;
    case 'LABEL':
      Object.assign(stage.labels, pairsOf(text, stage));
      return;
    case 'USER':
      stage.user = text;
      return;
    case 'EXPOSE':
      stage.ports = wordsOf(text);
      return;
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(text) as string[];
      return;
    case 'CMD':
      stage.command = JSON.parse(text) as string[];
      return;
    case 'RUN':
      await promisify(execFile)('/bin/sh', ['-ec', text], {
        cwd: join(stage.root, stage.workdir),
        env: { ...replay.env, ...stage.env },
        maxBuffer: 2 ** 26,
      });
      return;
    case 'COPY':
      await copy(wordsOf(text), stage, built, replay.context);
      return;
    default:
      throw new Error(`the replay does not know ${name}`);
  }
}

function argument(text: string, given: Readonly<Record<string, string>>): Record<string, string> {
  const [name = '', preset = ''] = text.split('=');
  return { [name]: given[name] ?? preset };
}

function pairsOf(text: string, stage: Built): Record<string, string> {
  const pairs = wordsOf(text).map((word): [string, string] => {
    const equals = word.indexOf('=');
    if (equals < 1) throw new Error(`${word} is not KEY=VALUE`);
    const value = word.slice(equals + 1).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = stage.arguments[name] ?? stage.env[name];
      if (found === undefined) throw new Error(`\${${name}} is not set`);
      return found;
    });
    return [word.slice(0, equals), value];
  });
  return Object.fromEntries(pairs);
}

/** Of a folder its content is copied, as Docker does. */
async function copy(
  words: readonly string[],
  stage: Built,
  built: ReadonlyMap<string, Built>,
  context: string,
): Promise<void> {
  const flags = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  let from = context;
  for (const flag of flags) {
    const stageName = /^--from=(.+)$/.exec(flag)?.[1];
    const source = stageName === undefined ? undefined : built.get(stageName);
    if (source === undefined) throw new Error(`the replay does not know ${flag}`);
    from = source.root;
  }
  const target = paths.at(-1) ?? '';
  const folder = join(stage.root, posix.resolve(stage.workdir, target));
  const intoFolder = target.endsWith('/') || paths.length > 2;
  for (const path of paths.slice(0, -1)) {
    const source = join(from, path);
    if ((await stat(source)).isDirectory()) {
      await mkdir(folder, { recursive: true });
      for (const name of await readdir(source))
        await cp(join(source, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
      continue;
    }
    await cp(source, intoFolder ? join(folder, basename(path)) : folder);
  }
}
