import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type PeakMeter, peakMeter } from './peak-memory.ts';

/** The cost of one run, from start to exit. */
export interface Cost {
  readonly wallMs: number;
  /** User and system time of every process of the pipeline. */
  readonly cpuMs: number;
  /** Peak resident memory of the pipeline's first process; undefined if unknown. */
  readonly peakBytes: number | undefined;
}

/** Programs connected by pipes as in a shell; usually one. */
export type Pipeline = readonly (readonly string[])[];

export interface RunEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** For temporary files of a run. */
  readonly directory: string;
}

/**
 * Runs a pipeline with bash's `time`, which includes the children's CPU time. Its output goes to a file, so that no
 * reader delays it: /dev/null unless the pipeline contains a filter (grep stops at its first match if its output is
 * /dev/null).
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

/** Quotes a pipeline for a shell. */
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

/** Returns the last lines of a program's output. */
export function lastLines(errors: string): string {
  return errors.trim().split('\n').slice(-3).join('; ');
}
