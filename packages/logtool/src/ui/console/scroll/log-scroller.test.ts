import { beforeEach, describe, expect, test } from 'vitest';
import { FakeLog } from '../../../../../../test/support/ui/console/fake-log.ts';
import type { EntryId } from '../../worker/protocol/protocol.ts';
import type { ScrollPane } from './log-scroller.ts';
import { LogScroller } from './log-scroller.ts';
import { MAX_SPACER_PX } from './scrollbar.ts';

const ROW = 22;
const VIEW = 660;

/** Scrolls like a browser: never beyond the ends, and with a delayed event. */
class FakePane implements ScrollPane {
  spacerPx = 0;
  layerPx = 0;
  onScroll: () => void = () => undefined;
  #top = 0;

  get scrollTop(): number {
    return this.#top;
  }

  set scrollTop(px: number) {
    const before = this.#top;
    this.#top = Math.round(Math.min(Math.max(px, 0), Math.max(0, this.spacerPx - VIEW)));
    if (this.#top !== before) queueMicrotask(() => this.onScroll());
  }

  setSpacer(px: number): void {
    this.spacerPx = px;
    this.scrollTop = this.#top;
  }

  setLayer(px: number): void {
    this.layerPx = px;
  }
}

let log: FakeLog;
let pane: FakePane;
let scroller: LogScroller;
let nowMs: number;
let frames: (() => void)[];

beforeEach(() => {
  log = new FakeLog();
  pane = new FakePane();
  nowMs = 0;
  frames = [];
  const worker = log.client();
  scroller = new LogScroller({
    worker,
    onFrame: (run) => frames.push(run),
    nowMs: () => nowMs,
    afterMs: () => undefined,
    rowPx: ROW,
  });
  worker.subscribe('status', ({ status }) =>
    scroller.changed({ version: status.version, rows: status.rows, searchState: '' }),
  );
  pane.onScroll = () => scroller.scrolled();
  scroller.attach(pane);
  scroller.resize(VIEW);
});

/** Draws frames and delivers messages until nothing more happens; scrolling has ended then. */
async function settle(): Promise<void> {
  nowMs += 1_000;
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = frames.length === 0 ? quiet + 1 : 0;
    for (const run of frames.splice(0)) run();
  }
}

/** The position of a row in the view, as the browser draws it. */
function topOf(entry: EntryId): number | undefined {
  const drawn = scroller.drawn().rows.find(({ row }) => row.entry === entry);
  return drawn === undefined ? undefined : drawn.yPx + pane.layerPx;
}
const inView = () => scroller.rowsInView.map(({ entry }) => entry);
function wheel(px: number): void {
  if (px < 0) scroller.follow(false);
  pane.scrollTop += px;
}

describe('following', () => {
  test('keeps the last row in view while lines come', async () => {
    log.append(10);
    await settle();
    expect(topOf(1)).toBe(ROW);
    for (let round = 0; round < 20; round++) {
      log.append(50);
      await settle();
      expect(inView().at(-1)).toBe(log.entries.at(-1)?.entry);
    }
    expect(pane.scrollTop).toBe(pane.spacerPx - VIEW);
  });

  test('ends only on request, not because lines come or go', async () => {
    log.append(1_000);
    await settle();
    log.entries = log.entries.slice(0, 5);
    log.change({});
    await settle();
    expect(scroller.isFollowing).toBe(true);
    wheel(-1);
    expect(scroller.isFollowing).toBe(false);
  });
});

describe('reading', () => {
  beforeEach(async () => {
    log.append(1_000);
    await settle();
    wheel(-5_000);
    await settle();
  });

  test('scrolling by some pixels moves rows by as many', async () => {
    const first = inView()[3] as EntryId;
    const top = topOf(first) ?? 0;
    wheel(-37);
    await settle();
    expect(topOf(first)).toBe(top + 37);
    wheel(50);
    await settle();
    expect(topOf(first)).toBe(top - 13);
  });

  test('keeps the row that is read in its place while lines come below, above, and leave', async () => {
    const first = inView()[0] as EntryId;
    const top = topOf(first);
    expect(top).toBeDefined();
    for (let round = 0; round < 20; round++) {
      log.append(50);
      await settle();
      expect(topOf(first)).toBe(top);
    }
    log.prepend(777);
    await settle();
    expect(topOf(first)).toBe(top);
    log.evict(500);
    await settle();
    expect(topOf(first)).toBe(top);
    log.evict(400);
    log.append(10);
    await settle();
    expect(topOf(first)).toBe(top);
  });

  test('keeps it when rows are higher than others, measured late, and while a tree is open', async () => {
    scroller.setLayout({ rowPx: ROW, wraps: true });
    await settle();
    const first = inView()[0] as EntryId;
    const top = topOf(first);
    scroller.measured(
      new Map(scroller.drawn().rows.map(({ row }, at) => [row.entry, at % 3 === 0 ? 66 : 22])),
    );
    await settle();
    expect(topOf(first)).toBe(top);
    log.prepend(100);
    await settle();
    expect(topOf(first)).toBe(top);
  });

  test('the row in whose place another one comes hands its place on', async () => {
    const [first, second] = inView() as [EntryId, EntryId];
    const top = topOf(first);
    log.entries = log.entries.filter(({ entry }) => entry !== first);
    log.change({});
    await settle();
    expect(topOf(second)).toBe(top);
  });

  test('scrolling on while older lines come neither jumps nor gets stuck at the top', async () => {
    for (let round = 0; round < 30; round++) {
      const first = inView()[0] as EntryId;
      const top = topOf(first) ?? 0;
      wheel(-300);
      log.prepend(100);
      // Scrolling continues: the scrollbar is not corrected in between.
      for (let turn = 0; turn < 3; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        for (const run of frames.splice(0)) run();
      }
      expect(topOf(first)).toBe(top + 300);
    }
    expect(pane.scrollTop).toBeGreaterThan(0);
  });

  test('stops at the first row, with room for the text before it', async () => {
    wheel(-1_000_000);
    await settle();
    expect(inView()[0]).toBe(1);
    expect(topOf(1)).toBe(ROW);
    expect(scroller.drawn().headPx).toBe((scroller.drawn().rows[0]?.yPx ?? 0) - ROW);
    wheel(1_000_000);
    await settle();
    expect(inView().at(-1)).toBe(1_000);
    expect(topOf(1_000)).toBe(VIEW - 2 * ROW);
  });

  test('goes to a row that is far away, and does not move the view for one that is in it', async () => {
    scroller.goTo(12, 'middle');
    await settle();
    expect(topOf(12)).toBe(ROW * 12);
    scroller.goTo(500, 'middle');
    await settle();
    expect(topOf(500)).toBe((VIEW - ROW) / 2);
    scroller.goTo(505, 'nearest');
    await settle();
    expect(topOf(500)).toBe((VIEW - ROW) / 2);
    scroller.goTo(530, 'nearest');
    await settle();
    expect(inView()).toContain(530);
  });
});

describe('a view that shows other rows', () => {
  const all = () => [...log.entries];
  const every = (nth: number) => log.entries.filter(({ entry }) => entry % nth === 0);

  test('shows the row that is gone to in the middle of its new neighbors, though it was in view', async () => {
    log.append(3_000);
    const whole = all();
    log.entries = every(10);
    log.change({});
    await settle();
    wheel(-1_000);
    await settle();
    const seen = inView()[12] as EntryId;
    const { position } = scroller;
    // The worker gets the message and answers earlier requests; then its rows change.
    scroller.goTo(seen, 'middle', { inOtherRows: true });
    log.entries = whole;
    log.change({});
    await settle();
    expect(topOf(seen)).toBe((VIEW - ROW) / 2);
    expect(inView()).toContain(seen - 1);
    scroller.goTo(position?.entry ?? 0, { topPx: position?.topPx ?? -1 }, { inOtherRows: true });
    log.entries = every(10);
    log.change({});
    await settle();
    expect(scroller.position).toEqual(position);
  });
});

describe('a log higher than a browser can draw', () => {
  const LINES = 1_000_000;

  beforeEach(async () => {
    log.entries = Array.from({ length: LINES }, () => log.makeLine());
    log.change({});
    await settle();
  });

  test('has a spacer that browsers can draw, and both ends are reached', async () => {
    expect(pane.spacerPx).toBe(MAX_SPACER_PX);
    expect(inView().at(-1)).toBe(LINES);
    wheel(-MAX_SPACER_PX);
    await settle();
    expect(inView()[0]).toBe(1);
  });

  test('a wheel still moves rows by its pixels, and the thumb points at a share', async () => {
    wheel(-MAX_SPACER_PX / 2);
    await settle();
    const first = inView()[0] as EntryId;
    expect(Math.abs(first - LINES / 2)).toBeLessThan(100);
    const top = topOf(first) ?? 0;
    wheel(-100);
    await settle();
    expect(topOf(first)).toBe(top + 100);
  });

  test('the wheel by itself reaches its very end', async () => {
    scroller.goTo(LINES - 200, 'top');
    await settle();
    for (let turn = 0; turn < 80; turn++) {
      wheel(100);
      await settle();
    }
    expect(inView().at(-1)).toBe(LINES);
  });
});

test('rows that stay are the same objects while scrolling and following', async () => {
  log.append(200);
  await settle();
  const before = new Map(scroller.drawn().rows.map((drawn) => [drawn.row.entry, drawn]));
  log.append(1);
  await settle();
  const kept = scroller.drawn().rows.filter((drawn) => before.get(drawn.row.entry) === drawn);
  expect(kept.length).toBe(scroller.drawn().rows.length - 1);
});

test('lines that come while one reads far above them cost no question, and make the scrollbar longer', async () => {
  log.append(1_000);
  await settle();
  wheel(-10_000);
  await settle();
  const before = log.received.filter(({ type }) => type === 'rows').length;
  const spacerPx = pane.spacerPx;
  log.append(100);
  await settle();
  expect(log.received.filter(({ type }) => type === 'rows').length).toBe(before);
  expect(pane.spacerPx).toBe(spacerPx + 100 * ROW);
  scroller.follow(true);
  await settle();
  expect(inView().at(-1)).toBe(1_100);
});

test('one question is under way at a time, and the last state is asked for in the end', async () => {
  log.append(100);
  await settle();
  log.holdsAnswers = true;
  const asked = () => log.received.filter(({ type }) => type === 'rows').length;
  const before = asked();
  for (let round = 0; round < 10; round++) log.append(10);
  expect(asked()).toBe(before + 1);
  log.holdsAnswers = false;
  log.answer();
  await settle();
  expect(inView().at(-1)).toBe(200);
});
