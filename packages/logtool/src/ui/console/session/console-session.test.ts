import { beforeEach, describe, expect, test } from 'vitest';
import { FakeLog } from '../../../../../../test/support/ui/console/fake-log.ts';
import { noteText } from '../../messages/notes.ts';
import type { EntryId } from '../../worker/protocol/protocol.ts';
import { makeZoneClock } from '../state/zone-time.ts';
import { ConsoleSession } from './console-session.ts';

let log: FakeLog;
let session: ConsoleSession;
let nowMs: number;
let frames: (() => void)[];
let timers: (() => void)[];

beforeEach(() => {
  log = new FakeLog();
  nowMs = 1_000_000;
  frames = [];
  timers = [];
  session = new ConsoleSession({
    worker: log.client(),
    onFrame: (run) => frames.push(run),
    nowMs: () => nowMs,
    afterMs: (_, run) => timers.push(run),
    density: 22,
    isFollowing: true,
  });
  let scrollTop = 0;
  session.scroller.attach({
    get scrollTop() {
      return scrollTop;
    },

    set scrollTop(px) {
      scrollTop = px;
    },
    setSpacer: () => undefined,
    setLayer: () => undefined,
  });
  session.scroller.resize(440);
});

async function settle(): Promise<void> {
  nowMs += 1_000;
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const due = [...frames.splice(0), ...timers.splice(0)];
    quiet = due.length === 0 ? quiet + 1 : 0;
    for (const run of due) run();
  }
}
const state = () => session.state();
const UTC = makeZoneClock('UTC');
const shownNote = () => {
  const { note } = state();
  return note === undefined ? undefined : noteText(note, UTC);
};

describe('following', () => {
  test('continues when Home is pressed in a log without lines', async () => {
    await settle();
    expect(await session.jump({ at: 'start' })).toBe(false);
    expect(state().isFollowing).toBe(true);
  });

  test('counts the lines that came since it ended, and none when it is on', async () => {
    log.append(100);
    await settle();
    expect(state().newLines).toBe(0);
    session.follow(false);
    log.append(128);
    await settle();
    expect(state().newLines).toBe(128);
    session.follow(true);
    await settle();
    expect(state()).toMatchObject({ isFollowing: true, newLines: 0 });
  });

  test('counts the lines that came since a filter was switched on', async () => {
    const filter = { include: { level: ['error'] }, exclude: {}, fields: [] };
    const search = { text: 'a', matchCase: false, wholeWord: false, regex: false };
    session.follow(false);
    log.append(2);
    await settle();
    expect(state().newLines).toBe(2);
    session.setSearch({ ...search, only: false });
    log.change({ asked: 1 });
    await settle();
    expect(state().newLines).toBe(2);
    session.setFacets(filter);
    log.change({ asked: 2 });
    await settle();
    expect(state().newLines).toBe(0);
    log.append(3);
    await settle();
    expect(state().newLines).toBe(3);
    session.setSearch({ ...search, only: true });
    log.change({ asked: 3 });
    await settle();
    expect(state().newLines).toBe(0);
  });

  test('is resumed at the newest line of the log where the page does not reach to it', async () => {
    log.append(100);
    session.follow(false);
    log.change({ atEnd: false });
    await settle();
    session.follow(true);
    await settle();
    expect(log.received.filter(({ type }) => type === 'jump')).toMatchObject([{ to: { at: 'end' } }]);
    expect(state().isFollowing).toBe(true);
  });

  test('says how many lines pass by while more come than are shown, and not during a pause', async () => {
    const stream = async () => {
      for (let seconds = 0; seconds < 4; seconds++) {
        log.append(5_000, { source: 0 });
        log.change({ receivedPerSecond: 5_000 });
        await settle();
      }
    };
    await stream();
    expect(state().shownPerSecond).toBeLessThan(5_000);
    session.pause(true);
    await stream();
    expect(state().shownPerSecond).toBeUndefined();
  });

  test('continues after a pause requested in the meantime', async () => {
    session.pause(true);
    expect(state().pausedAtMs).toBe(nowMs);
    session.follow(true);
    expect(state().pausedAtMs).toBeUndefined();
    expect(log.received.filter(({ type }) => type === 'pause')).toEqual([
      { type: 'pause', paused: true },
      { type: 'pause', paused: false },
    ]);
  });
});

describe('the rows that keys act on', () => {
  const entries = (): EntryId[] => [...state().selected].sort((a, b) => a - b);

  beforeEach(async () => {
    log.append(100);
    await settle();
    session.follow(false);
  });

  test('go up and down by one, from what is in view', async () => {
    session.move(-1, false);
    expect(state().active).toBe(100);
    session.move(-1, false);
    session.move(-1, false);
    session.move(1, false);
    expect(state().active).toBe(99);
  });

  test('go up and down by a view, and the view with them, from the first key on', async () => {
    const edges = () => [session.scroller.rowsInView[0]?.entry, session.scroller.rowsInView.at(-1)?.entry];
    const [first = 0] = edges();
    session.page(-1);
    await settle();
    const [above, last] = edges();
    // Two rows of the previous view stay, plus rows cut off at the edges.
    expect(last).toBeGreaterThanOrEqual(first);
    expect(last).toBeLessThanOrEqual(first + 3);
    expect(state().active).toBeGreaterThanOrEqual(above ?? 0);
    expect(state().active).toBeLessThanOrEqual((above ?? 0) + 1);
    for (let times = 0; times < 10; times++) {
      session.page(-1);
      await settle();
    }
    expect(state().active).toBe(1);
    for (let times = 0; times < 10; times++) {
      session.page(1);
      await settle();
    }
    expect(state().active).toBe(100);
    expect(state().isFollowing).toBe(false);
  });

  test('are selected one, with others, and from one to another', async () => {
    await session.select(50, 'only');
    await session.select(53, 'range');
    expect(entries()).toEqual([50, 51, 52, 53]);
    await session.select(51, 'toggle');
    await session.select(60, 'toggle');
    expect(entries()).toEqual([50, 52, 53, 60]);
    expect((await session.copyText())?.text).toBe('line 50\nline 52\nline 53\nline 60');
    await session.select(7, 'only');
    expect(entries()).toEqual([7]);
    session.clearSelection();
    expect((await session.copyText())?.text).toBe('line 7');
  });

  test('are all copied when the key comes before they are known', async () => {
    await session.select(50, 'only');
    log.holdsAnswers = true;
    const selecting = session.select(53, 'range');
    const copying = session.copyText();
    log.holdsAnswers = false;
    log.answer();
    await selecting;
    expect((await copying)?.text).toBe('line 50\nline 51\nline 52\nline 53');
  });

  test('are those of the later choice where two overtake each other', async () => {
    await session.select(50, 'only');
    log.holdsAnswers = true;
    const selecting = session.select(53, 'range');
    await session.select(70, 'only');
    log.answer();
    await selecting;
    expect(entries()).toEqual([70]);
  });

  test('open, whatever they are, and load the lines they represent', async () => {
    log.append(1, { isJson: true, text: '{"a":1}' });
    log.entries.push({ kind: 'missing', entry: 9_999, lines: 4_210, state: 'idle' });
    log.change({});
    session.follow(true);
    await settle();
    session.toggle(100);
    expect([...state().open]).toEqual([100]);
    session.toggle(101);
    expect([...state().open]).toEqual([100, 101]);
    session.toggle(100);
    session.toggle(101);
    expect(state().open.size).toBe(0);
    session.toggle(9_999);
    expect(log.received.at(-2)).toEqual({ type: 'load-missing', entry: 9_999 });
  });
});

describe('finding', () => {
  const hit = { hits: [[0, 4]] as const };

  test('begins with the first hit in view, including itself, and moves from hit to hit', async () => {
    log.append(1, hit);
    log.append(3);
    log.append(1, hit);
    session.follow(false);
    await settle();
    for (const [direction, entry] of [
      ['next', 1],
      ['next', 5],
      ['next', undefined],
      ['previous', 1],
    ] as const) {
      expect(await session.find('hit', direction)).toBe(entry);
      await settle();
    }
    expect(state()).toMatchObject({ active: 1, found: 1 });
  });

  test('takes what lies above where nothing is below, until a line is chosen', async () => {
    log.append(1, hit);
    log.append(500);
    await settle();
    expect(await session.find('hit', 'next')).toBe(1);
    await session.select(300, 'only');
    expect(await session.find('hit', 'next')).toBeUndefined();
    expect(shownNote()).toBe('No hit further down');
  });

  test('takes the line that was chosen, where it is a hit that was not found yet', async () => {
    log.append(2, hit);
    session.follow(false);
    await settle();
    await session.select(1, 'only');
    expect(await session.find('hit', 'next')).toBe(1);
    expect(await session.find('hit', 'next')).toBe(2);
  });

  describe('starts from what is in view once the chosen line was left', () => {
    const error = { level: 'error' } as const;

    /** Errors are entries 5, 300 and 480 of 500, and hits too. */
    beforeEach(async () => {
      for (const lines of [4, 294, 179]) {
        log.append(lines);
        log.append(1, { ...error, ...hit });
      }
      log.append(20);
      await settle();
      await session.jump({ at: 'start' });
      await settle();
      expect(await session.find('error', 'next')).toBe(5);
      await settle();
    });

    test.each(['at once', 'later'])('by following: %s', async (when) => {
      session.follow(true);
      if (when === 'later') await settle();
      const finding = session.find('error', 'previous');
      await settle();
      expect(await finding).toBe(480);
    });

    test('for a hit as for an error', async () => {
      session.follow(true);
      await settle();
      expect(await session.find('hit', 'previous')).toBe(480);
    });

    test('by following, where the newest line has to be loaded', async () => {
      log.change({ atEnd: false });
      log.holdsAnswers = true;
      session.follow(true);
      const finding = session.find('error', 'previous');
      log.holdsAnswers = false;
      log.answer();
      await settle();
      expect(await finding).toBe(480);
    });

    test('by going to the beginning, where it has to be loaded', async () => {
      await session.select(480, 'only');
      log.holdsAnswers = true;
      void session.jump({ at: 'start' });
      const finding = session.find('error', 'next');
      log.holdsAnswers = false;
      log.answer();
      await settle();
      expect(await finding).toBe(5);
    });

    test('by the wheel', async () => {
      session.scroller.scrollBy(22 * 350);
      await settle();
      expect(await session.find('error', 'next')).toBe(480);
      await settle();
      session.scroller.scrollBy(22 * -120);
      await settle();
      expect(await session.find('error', 'previous')).toBe(300);
    });

    test('but not by a wheel that leaves it in view', async () => {
      await session.select(6, 'only');
      session.scroller.scrollBy(22);
      await settle();
      expect(await session.find('error', 'previous')).toBe(5);
    });

    test('and says only in the direction it looked that there is none', async () => {
      session.scroller.scrollBy(-1e6);
      session.scroller.scrollBy(22 * 100);
      await settle();
      expect(await session.find('warn', 'next')).toBeUndefined();
      expect(shownNote()).toBe('No warning further down');
      expect(await session.find('warn', 'previous')).toBeUndefined();
      expect(shownNote()).toBe('No warning further up');
      session.follow(true);
      await settle();
      expect(await session.find('warn', 'previous')).toBeUndefined();
      expect(shownNote()).toBe('No warning');
    });

    test('unless it is stopped before', async () => {
      log.holdsAnswers = true;
      void session.jump({ at: 'start' });
      const finding = session.find('error', 'next');
      expect(session.stopFinding()).toBe(true);
      log.holdsAnswers = false;
      log.answer();
      await settle();
      expect(await finding).toBeUndefined();
      expect(state().active).toBe(1);
    });
  });

  test('what a search could not find is reported until the filters or the range change', async () => {
    const notFound = { code: 'not-found', what: 'error', where: undefined } as const;
    const change = [
      () => session.setFacets({ include: { level: ['error'] }, exclude: {}, fields: [] }),
      () => session.setSearch({ text: 'a', matchCase: false, wholeWord: false, regex: false, only: false }),
    ];
    for (const each of change) {
      session.notify(notFound);
      expect(state().note).toMatchObject(notFound);
      each();
      expect(state().note).toBeUndefined();
      session.notify({ code: 'copied', lines: 3 });
      each();
      expect(state().note).toMatchObject({ code: 'copied' });
    }
  });

  test('forgets what it found with the next search, but not with other filters', async () => {
    log.append(3, hit);
    session.follow(false);
    await settle();
    expect(await session.find('hit', 'next')).toBe(1);
    expect(state().found).toBe(1);
    session.setFacets({ include: { level: ['error'] }, exclude: {}, fields: [] });
    expect(state().found).toBe(1);
    session.setSearch({ text: 'zzzz', matchCase: false, wholeWord: false, regex: false, only: false });
    expect(state().found).toBeUndefined();
  });

  test('says that there are no lines, or that they are still loading', async () => {
    expect(await session.find('hit', 'previous')).toBeUndefined();
    expect(shownNote()).toBe('Lines are still loading');
    log.change({});
    await session.find('hit', 'next');
    expect(shownNote()).toBe('No lines are loaded');
    expect(log.received.some(({ type }) => type === 'find')).toBe(false);
  });

  test('the way to the beginning is stopped, and the note says how far it came', async () => {
    log.append(10);
    await settle();
    log.holdsAnswers = true;
    const jumping = session.jump({ at: 'start' });
    expect(state().jumpingTo).toBe('start');
    expect(session.stopFinding()).toBe(true);
    expect(log.received.at(-1)).toMatchObject({ type: 'stop-find' });
    log.report({
      type: 'jumped',
      request: log.received.findLast((message) => message.type === 'jump')?.request ?? 0,
      entry: undefined,
      isStopped: true,
    });
    expect(await jumping).toBe(false);
    expect(shownNote()).toMatch(/^Stopped on the way to the beginning/);
    expect(state().jumpingTo).toBeUndefined();
    expect(session.stopFinding()).toBe(false);
  });

  test('a key pressed again while its line is looked for starts no second look', async () => {
    log.append(3);
    log.append(1, { level: 'error' });
    await settle();
    log.holdsAnswers = true;
    const first = session.find('error', 'next');
    const second = session.find('error', 'next');
    expect(await second).toBeUndefined();
    expect(log.received.filter(({ type }) => type === 'find')).toHaveLength(1);
    log.answer();
    log.holdsAnswers = false;
    expect(await first).toBeDefined();
    expect(session.stopFinding()).toBe(false);
  });

  test('a look that lasts is stopped once, and the note says what was read', async () => {
    log.append(10);
    await settle();
    log.holdsAnswers = true;
    const finding = session.find('error', 'next');
    expect(session.stopFinding()).toBe(true);
    expect(log.received.at(-1)).toMatchObject({ type: 'stop-find' });
    log.report({
      type: 'found',
      request: log.received.findLast((message) => message.type === 'find')?.request ?? 0,
      entry: undefined,
      searchedBackTo: undefined,
      isExact: false,
      isStopped: true,
      bytes: 12_000_000,
      lines: 0,
      unread: { containers: [], fromMs: 1_795_260_000_000, toMs: 1_795_263_600_000, bytes: 12_000_000 },
    });
    expect(await finding).toBeUndefined();
    expect(shownNote()).toMatch(
      /^Stopped after 12 MB: no error so far; unread: 2026-11-21 \d\d:\d\d:\d\d to \d\d:\d\d:\d\d$/,
    );
    log.holdsAnswers = false;
    void session.goOn();
    expect(log.received.at(-1)).toMatchObject({ type: 'find', goOn: true });
  });
});

test('all lines around one are those of the range that they were opened in', async () => {
  log.append(5);
  await settle();
  session.setView({ context: 'c', sources: ['a'], follow: true }, true);
  session.showAround(3);
  expect(state()).toMatchObject({ around: 3, isFollowing: false });
  session.showAround(undefined);
  expect(state()).toMatchObject({ around: undefined, active: 3, isFollowing: true });
  session.showAround(3);
  const from = { kind: 'inclusive', at: '2026-01-01T00:00:00Z' } as const;
  session.setView({ context: 'c', sources: ['a'], follow: true, from }, false);
  expect(state().around).toBeUndefined();
});

test('a range with an end is not followed: goes to its last line', async () => {
  log.append(100);
  await settle();
  session.follow(false);
  const to = { kind: 'strict', at: '2026-01-01T00:00:00Z' } as const;
  session.setView({ context: 'c', sources: ['a'], follow: false, to }, false);
  await settle();
  session.follow(true);
  await settle();
  expect(log.received).toContainEqual(expect.objectContaining({ type: 'jump', to: { at: 'end' } }));
  expect(state().isFollowing).toBe(false);
  // What is sought upward from there begins at the last line, not at the one that was active before.
  expect(state().active).toBe(log.entries.at(-1)?.entry);
});

test('the page is brought up to date a few times a second, and at once when the connection changes', async () => {
  log.append(1);
  await settle();
  let reported = 0;
  session.subscribe(() => reported++);
  for (let at = 0; at < 100; at++) log.append(1);
  const soon = reported;
  expect(soon).toBeLessThanOrEqual(1);
  log.change({ connection: { state: 'reconnecting', retryAtMs: 5, error: undefined } });
  expect(state().status.connection.state).toBe('reconnecting');
  await settle();
  expect(state().status.lines).toBe(101);
});

test('reports a completed search at once', async () => {
  log.append(1);
  await settle();
  const search = { ...state().status.search, hits: 0 };
  log.change({ search: { ...search, state: 'searching' } });
  expect(state().status.search.state).toBe('searching');
  log.change({ search: { ...search, state: 'done', hits: 7 } });
  expect(state().status.search).toMatchObject({ state: 'done', hits: 7 });
});

test('texts are old until the worker has taken the request, and while a search is typed', async () => {
  log.append(1);
  await settle();
  expect(state().isAnswered).toBe(true);
  session.setFacets({ include: { level: ['error'] }, exclude: {}, fields: [] });
  expect(state().isAnswered).toBe(false);
  log.change({ asked: 1 });
  expect(state().isAnswered).toBe(true);
  session.setTyping(true);
  expect(state().isAnswered).toBe(false);
  session.setTyping(false);
  expect(state().isAnswered).toBe(true);
});

test('other sources open as their link says; more or fewer sources do not change what is followed', () => {
  const plan = (...sources: string[]) => ({ context: 'c', sources, follow: true });
  session.setView(plan('a'), true);
  session.follow(false);
  session.pause(true);
  session.setView(plan('a', 'b'), true);
  expect(state()).toMatchObject({ isFollowing: false, pausedAtMs: expect.any(Number) });
  session.setView(plan('c'), true);
  expect(state()).toMatchObject({ isFollowing: true, pausedAtMs: undefined });
  session.setView(plan('a'), false);
  expect(state().isFollowing).toBe(false);
});

describe('another range', () => {
  const PLAN = { context: 'a', sources: ['b'], follow: true } as const;
  const from = { kind: 'inclusive', at: '2026-11-21T10:00:00Z' } as const;

  test('that starts at a time is shown from there on, whatever row was read before', async () => {
    session.setView(PLAN, true);
    log.append(200);
    await settle();
    session.followAnew(false);
    session.setView({ ...PLAN, from }, false);
    log.append(1);
    await settle();
    expect(session.scroller.rowsInView[0]?.index).toBe(0);
  });

  test('is not asked for without a context', () => {
    session.setView({ ...PLAN, context: '' }, true);
    expect(log.received.some(({ type }) => type === 'view')).toBe(false);
  });
});

test('reports a failing log worker', () => {
  session.failed(new Error('The log worker failed: it could not be loaded'));
  expect(state().failure).toBe('The log worker failed: it could not be loaded');
});
