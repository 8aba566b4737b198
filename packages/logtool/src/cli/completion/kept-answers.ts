import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { attempt } from '../cache/attempt.ts';
import { readOwnFile, removeOwnFiles, writeOwnFile } from '../cache/own-file.ts';
import type { Candidate } from './candidate.ts';

/** Long enough for the Tabs of one line, short enough for a new pod to appear soon. */
const KEPT_MS = 5000;
const UNUSED_MS = 60_000;
const LIMIT_BYTES = 4 * 1024 * 1024;

/** Keeps answers of clusters between one Tab and the next. */
export interface KeptAnswers {
  readonly read: (question: readonly string[]) => readonly Candidate[] | undefined;
  readonly write: (question: readonly string[], answer: readonly Candidate[]) => void;
}

/**
 * Keeps answers in the user's own files in `directory`, named by a hash of the question (cluster, user,
 * namespace and request); they contain only names of objects. Keeps nothing without a directory, or if others
 * may write to it. Never throws: logtool requests missing answers again.
 */
export function keptAnswers(directory: string | undefined, nowMs: () => number): KeptAnswers {
  if (directory === undefined) return { read: () => undefined, write: () => undefined };
  const pathOf = (question: readonly string[]) => {
    const hash = createHash('sha256').update(JSON.stringify(question)).digest('hex');
    return join(directory, `${hash.slice(0, 40)}.json`);
  };
  return {
    read: (question) => attempt(() => readFresh(directory, pathOf(question), nowMs())),
    write: (question, answer) => {
      attempt(() => writeWhole(directory, pathOf(question), JSON.stringify({ atMs: nowMs(), answer })));
      // Most answers are never requested again.
      attempt(() => removeOwnFiles(directory, UNUSED_MS, { nowMs: nowMs() }));
    },
  };
}

function readFresh(directory: string, path: string, nowMs: number): readonly Candidate[] | undefined {
  const text = readOwnFile(directory, path, LIMIT_BYTES)?.toString('utf8');
  if (text === undefined) return undefined;
  const { atMs, answer } = JSON.parse(text) as { atMs: unknown; answer: unknown };
  const ageMs = typeof atMs === 'number' ? nowMs - atMs : -1;
  if (ageMs < 0 || ageMs > KEPT_MS || !Array.isArray(answer)) return undefined;
  return answer.every(isCandidate) ? answer : undefined;
}

function isCandidate(item: unknown): item is Candidate {
  if (typeof item !== 'object' || item === null) return false;
  const { value, meaning } = item as { value?: unknown; meaning?: unknown };
  return typeof value === 'string' && (meaning === undefined || typeof meaning === 'string');
}

function writeWhole(directory: string, path: string, text: string): void {
  if (text.length <= LIMIT_BYTES) writeOwnFile(directory, path, text);
}
