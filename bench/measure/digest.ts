import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lastWords, type Pipeline, shell } from './run-once.ts';

/** What a pipeline printed. */
export interface Digest {
  readonly bytes: number;
  readonly lines: number;
  readonly sha256: string;
}

const NEWLINE = 10;

/** Runs a pipeline once, unmeasured, and reads what it prints through a pipe. */
export async function digest(pipeline: Pipeline, env: NodeJS.ProcessEnv): Promise<Digest> {
  const child = spawn('bash', ['-c', `set -o pipefail; ${shell(pipeline)}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-4000);
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  }
  const code = await closed;
  if (code !== 0) throw new Error(`ended with ${code}: ${lastWords(errors)}`);
  return { bytes, lines, sha256: hash.digest('hex') };
}

/** What must be alike in the outputs of two programs; or how many lines logtool must print, whatever the peer does. */
export type Alike = 'bytes' | 'lines' | 'nothing' | { readonly lines: number };

/** How an output differs from the peer's in what must be alike; undefined when it does not. */
export function difference(alike: Alike, own: Digest, peer: Digest): string | undefined {
  if (alike === 'nothing') return undefined;
  const lines = typeof alike === 'object' ? alike.lines : peer.lines;
  if (own.lines !== lines) return `${own.lines} lines instead of ${lines}`;
  if (alike !== 'bytes' || own.sha256 === peer.sha256) return undefined;
  return `${own.bytes} bytes that are not the peer's ${peer.bytes}`;
}

/** What is alike, for the report. */
export function likeness(alike: Alike, { bytes }: Digest): string {
  if (alike === 'nothing') return '';
  if (typeof alike === 'object') return `${alike.lines} lines`;
  return `same ${alike} (${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB)`;
}
