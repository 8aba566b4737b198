import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type RecordsDigest, RecordsReader } from './records.ts';
import { lastWords, type Pipeline, shell } from './run-once.ts';

/** What a pipeline printed. */
export interface Digest {
  readonly bytes: number;
  readonly lines: number;
  readonly sha256: string;
  /** Where lines were read as records. */
  readonly records: RecordsDigest | undefined;
}

const NEWLINE = 10;

/** Runs a pipeline once, unmeasured, and reads what it prints through a pipe; with a prefix, as records. */
export async function digest(pipeline: Pipeline, env: NodeJS.ProcessEnv, prefix?: RegExp): Promise<Digest> {
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
  const records = prefix === undefined ? undefined : new RecordsReader(prefix);
  let bytes = 0;
  let lines = 0;
  let rest = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    if (records === undefined) continue;
    const texts = (rest + chunk.toString('latin1')).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) records.take(text);
  }
  if (rest !== '') records?.take(rest);
  const code = await closed;
  if (code !== 0) throw new Error(`ended with ${code}: ${lastWords(errors)}`);
  return { bytes, lines, sha256: hash.digest('hex'), records: records?.end() };
}

/**
 * What must be alike in the outputs of two programs: every byte; the time and message of all records, which logtool
 * prints in order; or of the last ten of all that the peer prints.
 */
export type Alike = 'bytes' | 'records' | 'last records' | 'nothing';

/** How an output differs from the peer's in what must be alike; undefined when it does not. */
export function difference(alike: Alike, own: Digest, peer: Digest): string | undefined {
  switch (alike) {
    case 'nothing':
      return undefined;
    case 'bytes':
      return own.sha256 === peer.sha256
        ? undefined
        : `${own.bytes} bytes that are not the peer's ${peer.bytes}`;
    case 'records':
      if (own.lines !== peer.lines) return `${own.lines} lines instead of ${peer.lines}`;
      if (own.records?.sum !== peer.records?.sum) return 'records that are not those of the peer';
      break;
    case 'last records': {
      const expected = peer.records?.latest ?? [];
      if (own.lines !== expected.length) return `${own.lines} lines instead of ${expected.length}`;
      // Of those of one time each program has an order of its own.
      if (own.records?.latest.toSorted().join('\n') !== expected.toSorted().join('\n'))
        return 'records that are not the last ones';
    }
  }
  return own.records?.isInOrder === true ? undefined : 'records that are not in the order of time';
}

/** What is alike, for the report. */
export function likeness(alike: Alike, { bytes, lines, records }: Digest): string {
  if (alike === 'nothing') return '';
  const size = `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB`;
  if (alike === 'bytes') return `same bytes (${size})`;
  if (alike === 'last records') return `same last ${records?.latest.length} records, in order`;
  return `same records, in order (${lines.toLocaleString('en')} lines, ${size})`;
}
