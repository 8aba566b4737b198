import { expect, test } from 'vitest';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { HeldLog } from './held-log.ts';
import type { Marker } from './line-store.ts';
import { Overlap } from './overlap.ts';

const AT = { seconds: 1_800_000_000, nanos: 5 };

function makeLog() {
  const log = new HeldLog({ lines: 1_000, bytes: 2 ** 20 });
  for (const [index, name] of ['web/a', 'web/b', 'web/c'].entries())
    log.store.sources.take(sourceOf(name, index), false);
  const line = (source: number, nanos = AT.nanos) =>
    log.arrive({ ...AT, nanos, source, text: `line of ${source}`, flags: 0 });
  const texts = () =>
    [...log.store.order.from({ chunk: 0, offset: 0 })].map(
      (id) => log.store.markers.get(id)?.text ?? log.store.text(id),
    );
  return { log, line, texts };
}
const marker = (kind: Marker['marker'], source: number | undefined): Marker => ({
  marker: kind,
  source,
  text: kind,
  isWarning: false,
});

test('a current event comes after the last line, whichever container wrote that and whichever it is about', () => {
  for (const about of [0, 1, 2, undefined]) {
    for (const last of [0, 1, 2]) {
      const { log, line, texts } = makeLog();
      line(0, 1);
      line(last);
      log.mark(marker('waiting', about));
      log.mark(marker('finished', about));
      expect(texts()).toEqual(['line of 0', `line of ${last}`, 'waiting', 'finished']);
      const position = log.store.order.back(log.store.order.end());
      for (const id of [...position]) expect(log.store.order.at(log.store.locate(id))).toBe(id);
    }
  }
});

test('a restart stands between the last line of one run and the first of the next', () => {
  for (const next of [0, 2]) {
    const { log, line, texts } = makeLog();
    line(1);
    log.mark(marker('restarted', next));
    line(next, 9);
    expect(texts()).toEqual(['line of 1', 'restarted', `line of ${next}`]);
  }
});

test('a restart comes before the first line of the run even if that has the time of the line before', () => {
  const { log, line, texts } = makeLog();
  line(1);
  log.mark(marker('restarted', 0));
  line(0);
  expect(texts()).toEqual(['restarted', 'line of 0', 'line of 1']);
});

test('a run without a line yet is resumed from the last line of the run before it', () => {
  const { log, line } = makeLog();
  line(0);
  log.store.sources.take({ ...sourceOf('web/a', 3), run: 'run-2', order: 'web/a/run-2' }, true);
  expect(log.resumePoints()).toContainEqual({
    id: 'web/a',
    run: 'run',
    at: '2027-01-15T08:00:00.000000005Z',
  });
  log.arrive({ ...AT, nanos: 9, source: 3, text: 'first of the next run', flags: 0 });
  expect(log.resumePoints()).toContainEqual({
    id: 'web/a',
    run: 'run-2',
    at: '2027-01-15T08:00:00.000000009Z',
  });
});

test('a stream that began before a page came does not bring the lines of the page again', () => {
  const { log, line, texts } = makeLog();
  line(0, 1);
  line(0, 9);
  log.expectOverlap();
  // The late container's lines arrive in a page, and then through the stream.
  const late = [3, 4, 12].map((nanos) => ({ ...AT, nanos, source: 1, text: 'line of 1', flags: 0 }));
  const overlap = new Overlap(log.store);
  for (const each of late) log.putLate(each, overlap);
  for (const each of late) line(each.source, each.nanos);
  expect(texts()).toEqual(['line of 0', 'line of 1', 'line of 1', 'line of 0', 'line of 1']);
  // The same text at the same time once more is another line.
  line(1, 4);
  expect(texts().filter((text) => text === 'line of 1')).toHaveLength(4);
  const ids = log.putPage([{ ...AT, nanos: 20, source: 2, text: 'line of 2', flags: 0 }], {
    after: log.store.order.last,
  });
  line(2, 20);
  expect(ids).toHaveLength(1);
  expect(texts().filter((text) => text === 'line of 2')).toHaveLength(1);
});
