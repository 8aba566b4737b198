import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { letOthersGoFirst } from '@logtool/kube/src/thread/let-others-go-first.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { filterFailure } from '../../domain/patterns/filter-failures.ts';
import { type CompiledSet, compileSet, passes, plainBytes } from './compiled-set.ts';
import type { MatchAnswer, MatchRequest, Messages, PatternSet, SentError } from './match-messages.ts';

/** The engine's cache for lines grows up to 8 MiB a pattern; above this much, everything is compiled again. */
const MAX_HEAP_BYTES = 96 * 1024 * 1024;

// Requests for rows without such a pattern wait on the main thread.
letOthersGoFirst();

const sets = new Map<number, PatternSet>();
const compiled = new Map<number, CompiledSet>();

parentPort?.on('message', (request: MatchRequest) => {
  if (request.type === 'forget') {
    sets.delete(request.id);
    compiled.delete(request.id);
    return;
  }
  const { job, id, set, messages } = request;
  if (set !== undefined) sets.set(id, set);
  const answer = (rest: Omit<MatchAnswer, 'job'>) => parentPort?.postMessage({ job, ...rest });
  work(id, messages).then(
    (passed) => answer({ passed }),
    (error: unknown) => answer({ error: sentError(error) }),
  );
});

async function work(id: number, messages: Messages | undefined): Promise<MatchAnswer['passed']> {
  if (getHeapStatistics().used_heap_size > MAX_HEAP_BYTES) compiled.clear();
  const set =
    compiled.get(id) ?? (await compileSet(sets.get(id) ?? { include: undefined, also: [], excludes: [] }));
  compiled.set(id, set);
  return messages === undefined ? undefined : passedOf(set, messages);
}

function passedOf(set: CompiledSet, { bytes, ends }: Messages): MatchAnswer['passed'] {
  const passed = new Uint8Array(ends.length);
  let start = 0;
  for (const [index, end] of ends.entries()) {
    if (passes(set, plainBytes(bytes.subarray(start, end)))) passed[index] = 1;
    start = end;
  }
  return passed;
}

function sentError(error: unknown): SentError {
  const { code, data, exit } =
    error instanceof CodedError
      ? error
      : filterFailure('match-failed', { reason: 'error', why: String(error) });
  return { code, data, exit };
}
