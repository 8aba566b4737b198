import { expect, test } from 'vitest';
import { NO_FACETS, NO_SEARCH, WrittenWorld } from './written-world.ts';

/* The hits of a chosen run: no count of the range counts by run. */

const LINES = 12_000;
const EARLIER_PERCENT = 40;

const POD = {
  lines: LINES,
  seed: 26_362_937,
  errorEvery: 318,
  warnEvery: 4,
  startMs: 0,
  earlier: EARLIER_PERCENT,
  gone: 0,
  isEarlierGone: false,
  rotated: 0,
  isBetween: false,
  traceEvery: 1_000_000,
};

test('a search in a chosen run counts the hits that are loaded, and all of them after a search of the rest', async () => {
  const world = new WrittenWorld({
    pods: [POD],
    faults: [],
    refused: undefined,
    stalled: undefined,
    maxLines: 1_000_000,
    grouping: false,
  });
  try {
    await world.open();
    await world.tryAsk({ type: 'jump', to: { at: 'start' } }, 'jumped');
    await world.settle();
    const [run] = world.sources.filter(({ restarts }) => restarts === 0).map(({ order }) => order);
    await world.send({ type: 'facets', filter: { ...NO_FACETS, include: { run: [run ?? ''] } } });
    await world.send({ type: 'search', plan: { ...NO_SEARCH, text: 'paid' } });
    const isHit = ({ text }: { readonly text: string }) => text.includes('paid');
    const rows = await world.rows();
    const shown = rows.filter((row) => row.kind === 'line' && isHit(row)).length;
    expect(shown).toBeGreaterThan(0);
    expect(world.status?.search).toMatchObject({ hits: shown, searchedBackTo: undefined });

    await world.send({ type: 'read-rest' });
    const ofRun = world.written.filter(({ number }) => number < (LINES * EARLIER_PERCENT) / 100);
    const hits = ofRun.filter(isHit).length;
    expect(hits).toBeGreaterThan(shown);
    // Nothing was written by the run after its end, so that no other line needs to be loaded.
    expect(world.status?.search).toMatchObject({ hits, searchedBackTo: ofRun[0]?.at.seconds });
    expect(world.status?.lines).toBeLessThan(LINES);
  } finally {
    world.close();
  }
});
