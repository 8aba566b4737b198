import { expect, test } from 'vitest';
import { viewSource } from '../../../../../../test/support/ui/worker/view-source.ts';
import { emptyText } from '../../messages/empty-log.ts';
import { readConsoleUrl } from '../url/read-console-url.ts';
import { FIRST_STATE } from './console-state.ts';
import { emptinessOf } from './emptiness.ts';
import { makeZoneClock } from './zone-time.ts';

const SOURCES = [viewSource({ id: 'a' }), viewSource({ id: 'b', condition: { kind: 'unanswered' } })];

/** The state of an idle view without lines. */
function stateOf(sources: typeof SOURCES) {
  const status = {
    ...FIRST_STATE.status,
    loading: 'none',
    connection: { state: 'ended' },
    atBeginning: true,
    atEnd: true,
    isWhole: true,
  } as const;
  return { ...FIRST_STATE, status, sources, isAnswered: true };
}

const url = readConsoleUrl({ ctx: 'x', src: ['shop:pods/*'] });

test('no line is claimed while a container has not answered, also one that the facets refuse', () => {
  expect(emptinessOf({ state: stateOf(SOURCES), url }, undefined)).toEqual({
    kind: 'unanswered',
    count: 1,
    total: 2,
  });
});

test('does not claim that no line matches while a container is unread', () => {
  const state = stateOf([...SOURCES.slice(0, 1), viewSource({ id: 'b', condition: { kind: 'forbidden' } })]);
  const filtered = { ...state, status: { ...state.status, lines: 6 } };
  const emptiness = emptinessOf({ state: filtered, url }, undefined);
  expect(emptiness).toMatchObject({ kind: 'filtered', isAll: true, unread: 1 });
  expect(
    emptyText(emptiness as Exclude<typeof emptiness, { kind: 'no-context' }>, makeZoneClock('utc'), 0),
  ).toEqual({
    title: 'No loaded line matches the filters',
    text: '6 lines loaded. logtool could not read all lines of 1 container.',
  });
});

test('does not claim that no line matches while the middle of the log is not loaded', () => {
  const state = stateOf(SOURCES.slice(0, 1));
  const filtered = { ...state, status: { ...state.status, lines: 6, isWhole: false } };
  const emptiness = emptinessOf({ state: filtered, url }, undefined);
  expect(
    emptyText(emptiness as Exclude<typeof emptiness, { kind: 'no-context' }>, makeZoneClock('utc'), 0),
  ).toEqual({
    title: 'No loaded line matches the filters',
    text: '6 lines loaded. logtool has not searched the rest of the logs.',
  });
});

test('a gap does not hide an unread container', () => {
  const state = stateOf([viewSource({ id: 'a', condition: { kind: 'away' } })]);
  const withGap = { ...state, status: { ...state.status, hasGaps: true } };
  const emptiness = emptinessOf({ state: withGap, url }, undefined);
  expect(
    emptyText(emptiness as Exclude<typeof emptiness, { kind: 'no-context' }>, makeZoneClock('utc'), 0),
  ).toEqual({
    title: 'No lines in the part of this range that logtool read',
  });
});

test('reports that all containers have answered without a line', () => {
  const state = stateOf(SOURCES.slice(0, 1));
  expect(emptinessOf({ state, url }, undefined)).toMatchObject({ kind: 'no-line', waiting: [] });
});

test('an empty view of containers that have run for long says that only the newest files were read', () => {
  const state = stateOf([viewSource({ id: 'a' })]);
  const old = { ...state, status: { ...state.status, emptyOnNodes: ['node-a'] } };
  const textOf = (rotated: boolean) => {
    const emptiness = emptinessOf({ state: old, url: { ...url, rotated } }, undefined);
    return emptyText(emptiness as Exclude<typeof emptiness, { kind: 'no-context' }>, makeZoneClock('utc'), 0);
  };
  expect(textOf(false)).toEqual({
    title: 'No lines in this range',
    text: 'logtool read the newest log file of each container. Earlier lines may be in older files, if the node rotated them.',
  });
  expect(textOf(true)).toEqual({ title: 'No lines in this range' });
});
