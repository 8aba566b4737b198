import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type PeakMeter, peakMeter } from './peak-memory.ts';

/** What one run took, from start to exit. */
export interface Cost {
  readonly wallMs: number;
  /** User and system, of every process of the pipeline. */
  readonly cpuMs: number;
  /** Peak of resident memory of the pipeline's first process; undefined if unknown. */
  readonly peakBytes: number | undefined;
}

/** Programs joined by pipes, as a shell does; mostly one. */
export type Pipeline = readonly (readonly string[])[];

export interface RunEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** For files that a run leaves for this program. */
  readonly directory: string;
}

/**
 * Runs a pipeline under bash's own clock, which counts the children's processor time too. Its output goes to
 * a file, so that no reader delays it: /dev/null unless a filter is in the pipeline (grep ends at its first
 * match when its output is /dev/null).
 */
export async function runOnce(pipeline: Pipeline, environment: RunEnvironment): Promise<Cost> {
  const sink = pipeline.length === 1 ? '/dev/null' : join(environment.directory, 'bench-output');
  const meter = await peakMeter(join(environment.directory, 'bench-peak'));
  const [first = [], ...rest] = pipeline;
  const commands = [[...meter.command, ...first], ...rest];
  const script = `set -o pipefail; TIMEFORMAT='%3R %3U %3S'; time { ${shell(commands)}; } > ${quote(sink)}`;
  const { code, errors } = await bash(script, environment.env, meter);
  if (sink !== '/dev/null') await rm(sink, { force: true });
  const peakBytes = await meter.read();
  if (code !== 0)
    throw new Error(`ended with ${code}: ${lastLines(errors.slice(0, errors.trimEnd().lastIndexOf('\n')))}`);
  const [wall = NaN, user = NaN, system = NaN] = (errors.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return {
    wallMs: wall * 1000,
    cpuMs: (user + system) * 1000,
    peakBytes,
  };
}

/** The pipeline in the words of a shell. */
export function shell(pipeline: Pipeline): string {
  return pipeline.map((command) => command.map(quote).join(' ')).join(' | ');
}

function quote(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

function bash(script: string, env: NodeJS.ProcessEnv, meter: PeakMeter) {
  const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'ignore', 'pipe'], env });
  if (child.pid !== undefined) meter.watch(child.pid);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-4000);
  });
  return new Promise<{ readonly code: number | null; readonly errors: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, errors }));
  });
}

/** The last lines that a program printed. */
export function lastLines(errors: string): string {
  return errors.trim().split('\n').slice(-3).join('; ');
}
