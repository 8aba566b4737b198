import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { argumentsOf, type Instruction, type Stage } from '../../../scripts/image/parse-dockerfile.ts';
import { applySetting, newSettings, type StageSettings } from '../../../scripts/image/stage-settings.ts';

/** The result of a stage: its files below `root`, and how its container starts. */
export interface Built {
  readonly root: string;
  readonly settings: StageSettings;
}

interface Replay {
  /** The folder of the build context. */
  readonly context: string;
  /** Each stage gets a folder below this one. */
  readonly folder: string;
  readonly buildArguments: Readonly<Record<string, string>>;
  /** The environment of RUN, in addition to the stage's own. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Executes the instructions of the stages without Docker, and returns the last stage. Does not pull images:
 * RUN uses this machine's programs, in the stage's folder. Throws on an unknown instruction.
 */
export async function replayDockerfile(stages: readonly Stage[], replay: Replay): Promise<Built> {
  const built = new Map<string, Built>();
  let last: Built | undefined;
  for (const [index, stage] of stages.entries()) {
    last = { root: join(replay.folder, `stage-${index}`), settings: newSettings() };
    await mkdir(last.root, { recursive: true });
    for (const instruction of stage.instructions) await run(instruction, last, built, replay);
    built.set(stage.name ?? String(index), last);
  }
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  return last;
}

async function run(
  instruction: Instruction,
  { root, settings }: Built,
  built: ReadonlyMap<string, Built>,
  replay: Replay,
): Promise<void> {
  const { name, text } = instruction;
  if (applySetting(instruction, settings, replay.buildArguments)) {
    await mkdir(join(root, settings.workdir), { recursive: true });
  } else if (name === 'RUN') {
    await promisify(execFile)('/bin/sh', ['-ec', text], {
      cwd: join(root, settings.workdir),
      env: { ...replay.env, ...settings.env },
      maxBuffer: 2 ** 26,
    });
  } else if (name === 'COPY') {
    await copy(argumentsOf(text), { root, settings }, built, replay.context);
  } else {
    throw new Error(`the replay does not know ${name}`);
  }
}

/** Copies the content of a folder, like Docker. */
async function copy(
  args: readonly string[],
  stage: Built,
  built: ReadonlyMap<string, Built>,
  context: string,
): Promise<void> {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const paths = args.filter((arg) => !arg.startsWith('--'));
  let from = context;
  for (const flag of flags) {
    const stageName = /^--from=(.+)$/.exec(flag)?.[1];
    const source = stageName === undefined ? undefined : built.get(stageName);
    if (source === undefined) throw new Error(`the replay does not know ${flag}`);
    from = source.root;
  }
  const target = paths.at(-1) ?? '';
  const folder = join(stage.root, posix.resolve(stage.settings.workdir, target));
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
