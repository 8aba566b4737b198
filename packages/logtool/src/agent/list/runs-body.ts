import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import type { RunFacts, RunsLine } from '../../agent-api/runs/run-facts.ts';
import type { NodeRuns } from './node-runs.ts';

const EVERY_MS = 1000;

/**
 * Returns the list of a node's runs as lines, until the signal aborts: first all, then what has changed since the
 * line before. A reader that falls behind gets fewer lines, and loses no change. Only namespaces that the settings
 * allow are in it.
 */
export async function* runsBody(
  node: NodeRuns,
  isAllowed: (namespace: string) => boolean,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array, void, undefined> {
  let sent: ReadonlyMap<string, RunFacts> | undefined;
  for (;;) {
    const all = await node.current();
    const now = new Map([...all].filter(([, { namespace }]) => isAllowed(namespace)));
    const line = lineOf(sent, now);
    sent = now;
    if (line !== undefined) yield Buffer.from(`${JSON.stringify(line)}\n`);
    await sleep(clock, EVERY_MS, signal);
  }
}

function lineOf(
  before: ReadonlyMap<string, RunFacts> | undefined,
  now: ReadonlyMap<string, RunFacts>,
): RunsLine | undefined {
  if (before === undefined) return { runs: [...now.values()] };
  const changed = [...now].filter(([key, run]) => before.get(key) !== run).map(([, run]) => run);
  const gone = [...before.keys()].filter((key) => !now.has(key));
  return changed.length === 0 && gone.length === 0 ? undefined : { changed, gone };
}
