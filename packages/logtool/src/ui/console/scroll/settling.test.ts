import { beforeEach, expect, test } from 'vitest';
import { FakeLog } from '../../../../../../test/support/ui/console/fake-log.ts';
import type { EntryId } from '../../worker/protocol/protocol.ts';
import { LogScroller } from './log-scroller.ts';

const ROW = 22;
const VIEW = 660;

let log: FakeLog;
let scroller: LogScroller;
let frames: (() => void)[];
let layerPx: number;

beforeEach(() => {
  log = new FakeLog();
  frames = [];
  layerPx = 0;
  const worker = log.client();
  scroller = new LogScroller({
    worker,
    onFrame: (run) => frames.push(run),
    nowMs: () => 0,
    afterMs: () => undefined,
    rowPx: ROW,
  });
  worker.subscribe('status', ({ status }) =>
    scroller.changed({ version: status.version, rows: status.rows, searchState: '' }),
  );
  scroller.attach({
    scrollTop: 0,
    setSpacer: () => undefined,
    setLayer: (px) => {
      layerPx = px;
    },
  });
  scroller.resize(VIEW);
  scroller.setLayout({ rowPx: ROW, wraps: true });
});

/** Every row wraps to three lines, which is known once it is drawn. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = frames.length === 0 ? quiet + 1 : 0;
    for (const run of frames.splice(0)) run();
    for (let again = true; again; )
      again = scroller.measured(new Map(scroller.drawn().rows.map(({ row }) => [row.entry, 3 * ROW])));
  }
}

function topOf(entry: EntryId): number | undefined {
  const drawn = scroller.drawn().rows.find(({ row }) => row.entry === entry);
  return drawn === undefined ? undefined : drawn.yPx + layerPx;
}

test('a view of wrapped lines opens at its end with its final line whole, though it does not follow', async () => {
  scroller.follow(false);
  scroller.open('end');
  log.append(500);
  scroller.opened();
  await settle();
  expect(topOf(500)).toBe(VIEW - ROW - 3 * ROW);
  // Lines that arrive later move nothing.
  log.append(200);
  await settle();
  expect(topOf(500)).toBe(VIEW - ROW - 3 * ROW);
});

test('a line that is gone to stands where it was wanted, whatever the lines above it come out as', async () => {
  log.append(500);
  await settle();
  for (const entry of [250, 100, 470]) {
    scroller.goTo(entry, 'middle');
    await settle();
    expect(topOf(entry)).toBe((VIEW - 3 * ROW) / 2);
  }
  scroller.goTo(20, 'top');
  await settle();
  expect(topOf(20)).toBe(ROW);
});

test('who scrolls on is not held back', async () => {
  scroller.follow(false);
  scroller.open('end');
  log.append(500);
  scroller.opened();
  await settle();
  scroller.scrollBy(-1_000);
  await settle();
  expect(topOf(500)).toBeUndefined();
});
