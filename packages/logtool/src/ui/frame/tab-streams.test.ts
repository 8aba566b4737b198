import { expect, test } from 'vitest';
import { MAX_STREAMS, type TabMessage, TabStreams } from './tab-streams.ts';

/** Tabs of one browser that receive each other's messages. */
class Browser {
  readonly #heard = new Map<string, (event: { readonly data: TabMessage }) => void>();
  readonly #waiting: (() => void)[] = [];
  nowMs = 0;

  open(tab: string, isHidden = false): Tab {
    const opened = new Tab(this, tab, isHidden);
    return opened;
  }

  channelOf(tab: string) {
    return {
      postMessage: (data: TabMessage) => {
        for (const [other, hear] of this.#heard) if (other !== tab) this.#waiting.push(() => hear({ data }));
      },
      addEventListener: (_: string, listener: unknown) =>
        void this.#heard.set(tab, listener as (event: { readonly data: TabMessage }) => void),
    } as unknown as BroadcastChannel;
  }

  crash(tab: string): void {
    this.#heard.delete(tab);
  }

  settle(): void {
    this.nowMs += 1_000;
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift())
      message();
  }
}

class Tab {
  readonly streams: TabStreams;
  isHolding = false;
  readonly #listeners = new Set<() => void>();
  #isHidden: boolean;

  constructor(browser: Browser, tab: string, isHidden: boolean) {
    this.#isHidden = isHidden;
    this.streams = new TabStreams({
      channel: browser.channelOf(tab),
      visibility: {
        isHidden: () => this.#isHidden,
        subscribe: (listener) => {
          this.#listeners.add(listener);
          return () => this.#listeners.delete(listener);
        },
      },
      nowMs: () => browser.nowMs,
      tab,
    });
  }

  hold(): () => void {
    this.isHolding = true;
    const release = this.streams.hold(() => {
      this.isHolding = false;
    });
    return () => {
      this.isHolding = false;
      release();
    };
  }

  hide(isHidden: boolean): void {
    this.#isHidden = isHidden;
    for (const listener of this.#listeners) listener();
  }
}

/** Opens tabs one after the other; each hides the previous one. */
function openTabs(browser: Browser, count: number): Tab[] {
  const tabs: Tab[] = [];
  for (let number = 0; number < count; number++) {
    tabs.at(-1)?.hide(true);
    browser.settle();
    const tab = browser.open(`tab-${number}`);
    tab.hold();
    browser.settle();
    tabs.push(tab);
  }
  return tabs;
}

const holding = (tabs: readonly Tab[]) => tabs.map(({ isHolding }) => isHolding);

test('does not touch streams within the limit of all tabs', () => {
  expect(holding(openTabs(new Browser(), MAX_STREAMS))).toEqual([true, true, true, true]);
});

test('beyond that, closes those unseen for the longest time', () => {
  expect(holding(openTabs(new Browser(), 7))).toEqual([false, false, false, true, true, true, true]);
});

test('a tab that is seen again takes the place of another', () => {
  const browser = new Browser();
  const tabs = openTabs(browser, 5);
  tabs[4]?.hide(true);
  tabs[0]?.hide(false);
  tabs[0]?.hold();
  browser.settle();
  expect(holding(tabs)).toEqual([true, false, true, true, true]);
});

test('tabs that are seen at the same time, in windows side by side, all stay', () => {
  const browser = new Browser();
  const tabs = Array.from({ length: 6 }, (_, number) => browser.open(`window-${number}`));
  for (const tab of tabs) tab.hold();
  browser.settle();
  expect(holding(tabs)).toEqual([true, true, true, true, true, true]);
});

test('background tabs opened at once share the streams that are left', () => {
  const browser = new Browser();
  const front = browser.open('front');
  front.hold();
  const tabs = Array.from({ length: 9 }, (_, number) => browser.open(`behind-${number}`, true));
  for (const tab of tabs) tab.hold();
  browser.settle();
  expect(front.isHolding).toBe(true);
  expect(holding(tabs).filter((isHolding) => isHolding).length).toBeLessThanOrEqual(MAX_STREAMS - 1);
});

test('what was closed, has ended or has crashed is not counted', () => {
  const browser = new Browser();
  const tabs = openTabs(browser, 3);
  const release = tabs[2]?.hold();
  browser.settle();
  release?.();
  browser.crash('tab-1');
  tabs[2]?.hide(true);
  const last = browser.open('last');
  last.hold();
  browser.settle();
  expect(tabs[0]?.isHolding).toBe(true);
});

test('of tabs that are all seen, those opened last leave what they can do without, until there is room', () => {
  const browser = new Browser();
  const tabs = Array.from({ length: 3 }, (_, number) => browser.open(`window-${number}`));
  const optional = new Set<number>();
  const hold = (number: number) => {
    optional.add(number);
    const leave = () => {
      optional.delete(number);
      tabs[number]?.streams.whenRoom(() => hold(number));
    };
    tabs[number]?.streams.hold(leave, true);
  };
  const releases = tabs.map((tab) => tab.hold());
  for (const number of tabs.keys()) hold(number);
  browser.settle();
  expect(holding(tabs)).toEqual([true, true, true]);
  expect([...optional]).toEqual([0]);
  releases[2]?.();
  tabs[1]?.streams.count();
  browser.settle();
  expect(optional.size).toBe(2);
  expect(holding(tabs).slice(0, 2)).toEqual([true, true]);
});
