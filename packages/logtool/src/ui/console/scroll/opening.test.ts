import { expect, test } from 'vitest';
import { Opening } from './opening.ts';
import type { Extent } from './row-positions.ts';

const EXTENT: Extent = { viewportPx: 660, rowPx: 22, headPx: 22, footPx: 22, total: 100 };

test('a view that opens at its end stays there until everything has come', () => {
  const opening = new Opening();
  opening.begin('end');
  const first = opening.anchor;
  expect(first).toEqual({ at: 'end' });
  expect(opening.take(first ?? { at: 'start' }, EXTENT, 22)).toMatchObject({ index: 99, topPx: 616 });
  opening.finish();
  const last = opening.anchor;
  expect(last).toEqual({ at: 'end' });
  // A request made before everything had arrived does not count as the last one.
  expect(opening.take(first ?? { at: 'start' }, EXTENT, 22)).toBeUndefined();
  expect(opening.take(last ?? { at: 'start' }, EXTENT, 22)).toMatchObject({ index: 99 });
  expect(opening.anchor).toBeUndefined();
});

test('a view that opens at its start shows the room before the first row', () => {
  const opening = new Opening();
  opening.begin('start');
  const { anchor } = opening;
  expect(opening.take(anchor ?? { at: 'end' }, EXTENT, 22)).toEqual({
    entry: undefined,
    index: 0,
    topPx: 22,
  });
});

test('keeps opening until something comes; scrolling ends it', () => {
  const opening = new Opening();
  opening.begin('end');
  opening.finish();
  opening.take(opening.anchor ?? { at: 'start' }, { ...EXTENT, total: 0 }, 22);
  expect(opening.anchor).toEqual({ at: 'end' });
  opening.end();
  expect(opening.anchor).toBeUndefined();
  expect(opening.take({ at: 'end' }, EXTENT, 22)).toBeUndefined();
});
