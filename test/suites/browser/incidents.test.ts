import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { log, openConsole, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { checkHits, checkStatements, readTruth, type Truth } from './incident-truth.ts';
import { openWorld } from './world.ts';

/*
 * The on-call test: a user who knows the page's roles and names, and nothing about the incident, finds when
 * the errors began and the line with the cause. Each statement of the page on the way is compared with what
 * kubectl reads.
 */

interface Incident {
  readonly name: string;
  readonly firstSign: string;
  readonly cause: string;
  /** It had earlier errors that do not belong to the incident. */
  readonly isNoisy?: true;
}

const INCIDENTS: readonly Incident[] = [
  { name: 'pool-limit', firstSign: 'no connection in 30000ms', cause: 'pool.max=60' },
  {
    name: 'expired-certificate',
    firstSign: 'certificate has expired',
    cause: 'certificate tokens.shop could not be renewed',
  },
  { name: 'full-disk', firstSign: 'No space left on device', cause: 'archive command failed' },
  {
    name: 'memory-leak',
    firstSign: 'java.lang.OutOfMemoryError',
    cause: 'cache enabled without a size limit',
  },
  {
    name: 'poison-message',
    firstSign: 'offset 88213 cannot be processed',
    cause: 'unknown schema version 9',
  },
  {
    name: 'refused-by-provider',
    firstSign: 'provider answered 429',
    cause: 'retries.backoff=0',
  },
  { name: 'lock-in-migration', firstSign: 'canceling statement', cause: 'waits for AccessExclusiveLock' },
  {
    name: 'noisy-service',
    firstSign: 'ranking model returned NaN',
    cause: 'flag new-ranking is on',
    isNoisy: true,
  },
  { name: 'name-lookups', firstSign: 'SERVFAIL', cause: 'unknown directive forwrd' },
  { name: 'missing-setting', firstSign: 'rates has an empty address', cause: 'QUOTES_RATES_URL is not set' },
  { name: 'silence', firstSign: 'no settlement for shard 4', cause: 'lease of shard 4 lost' },
  { name: 'retry-storm', firstSign: 'queue is full', cause: 'each request is sent up to 8 times' },
];

const MAX_ACTIONS = 8;
/** What an on-call user searches for if no warning explains the errors: a change. */
const CHANGE = 'config|reload|setting|deploy|enabled|version';
/**
 * The long incidents write 300 MB; LOGTOOL_LONG=1 runs them in full, otherwise with a sixth of their traffic.
 */
const SHARE = process.env.LOGTOOL_LONG === '1' ? 1 : 1 / 6;
const BUSY_PER_SECOND = 4;

/** Returns the scenario with less traffic where it has much. */
function scenarioOf(name: string): unknown {
  const text = readFileSync(`scenarios/incidents/${name}.yaml`, 'utf8');
  return load(
    text.replaceAll(/perSecond: ([\d.]+)/g, (written, rate) =>
      Number(rate) < BUSY_PER_SECOND ? written : `perSecond: ${Number(rate) * SHARE}`,
    ),
  );
}

/** Someone on call: knows only the roles and names of the page, and counts the actions. */
class OnCall {
  readonly #page: Page;
  readonly #truth: Truth;
  actions = 0;

  constructor(page: Page, truth: Truth) {
    this.#page = page;
    this.#truth = truth;
  }

  get begin() {
    return this.#page.getByRole('button', { name: /^errors begin / });
  }

  async act(action: () => Promise<unknown>): Promise<void> {
    this.actions++;
    await action();
    await checkStatements(this.#page, this.#truth);
  }

  async isSeen(text: string): Promise<boolean> {
    return (await shownTexts(this.#page)).some((shown) => shown.includes(text));
  }

  /** Waits until the page has counted the range, all of it if that is asked for, and shows where errors begin. */
  async awaitBegin(): Promise<void> {
    await eventually(() => this.#page.locator('.facet-scope').textContent()).toMatch(/^Counts in /);
    const rest = this.#page.getByRole('button', { name: 'Count the rest' });
    await this.begin.or(rest).first().waitFor();
    await checkStatements(this.#page, this.#truth);
    if (!(await this.begin.isVisible())) await this.act(() => rest.click());
    await this.begin.waitFor();
  }

  /** Checks the named time against that of the first sign. */
  async checkBegin(first: string, isNoisy: boolean): Promise<void> {
    const named = /^errors begin (?:\S+ )?(\S+)$/.exec((await this.begin.textContent()) ?? '')?.[1] ?? '';
    if (!isNoisy) expect(named).toBe(first.slice(11, 19));
    const title = (await this.begin.getAttribute('title')) ?? '';
    const widthMs = 1_000 * Number(/The first error of the (\d+) s in which errors begin/.exec(title)?.[1]);
    this.#checkOutbreak(named, widthMs, Date.parse(first));
  }

  /**
   * Checks what the page claims of the named time: it is that of the first error in its bucket, where errors come at
   * least twice as often as before. The first sign lies in that bucket, unless it came so shortly before it that the
   * few errors of the preceding bucket cannot differ from the noise.
   */
  #checkOutbreak(named: string, widthMs: number, signMs: number): void {
    const errors = this.#truth.lines.filter(({ level }) => level === 'error' || level === 'fatal');
    const at = errors.filter((line) => line.at.slice(11, 19) === named).map((line) => Date.parse(line.at));
    const fromMs = Math.floor((at[0] ?? Number.NaN) / widthMs) * widthMs;
    const countIn = (begin: number, end: number) =>
      errors.filter((line) => Date.parse(line.at) >= begin && Date.parse(line.at) < end).length;
    expect(countIn(fromMs, at[0] ?? Number.NaN), `errors of the bucket before ${named}`).toBe(0);
    const before = countIn(this.#truth.fromMs, fromMs) / (fromMs - this.#truth.fromMs);
    expect(countIn(fromMs, fromMs + widthMs) / widthMs, named).toBeGreaterThanOrEqual(2 * before);
    const text = `${named} of ${new Date(signMs).toISOString()}`;
    expect(signMs, text).toBeGreaterThanOrEqual(fromMs - widthMs / 10);
    expect(signMs, text).toBeLessThan(fromMs + widthMs);
  }

  async #position(): Promise<readonly (string | null)[]> {
    const active = await log(this.#page).getAttribute('aria-activedescendant');
    return [active, ...(await shownTexts(this.#page))];
  }

  /** Whether the active row is drawn and in view. */
  #isActiveShown(): Promise<boolean> {
    return log(this.#page).evaluate((pane) => {
      const row = document.getElementById(pane.getAttribute('aria-activedescendant') ?? '');
      const [own, view] = [row?.getBoundingClientRect(), pane.getBoundingClientRect()];
      return own !== undefined && own.bottom > view.top && own.top < view.bottom;
    });
  }

  /**
   * Runs an action and waits until another row is active and drawn, or until the page reports no match: false. Before
   * the row is drawn, the user cannot tell whether it is the right one.
   */
  async go(action: () => Promise<unknown>): Promise<boolean> {
    const before = await this.#position();
    await this.act(action);
    const result = this.#page.getByRole('status', { name: 'Result', exact: true });
    const isNone = async () => /^No (error|warning|hit)/.test((await result.textContent()) ?? '');
    await eventually(
      async () => JSON.stringify(await this.#position()) !== JSON.stringify(before) || (await isNone()),
    ).toBe(true);
    if (await isNone()) return false;
    await eventually(() => this.#isActiveShown()).toBe(true);
    return true;
  }

  /** Goes to the first error, and on to later ones: a known error may be the last one before those of the incident. */
  async findSign(sign: string, isNoisy: boolean): Promise<void> {
    await this.go(() => this.begin.click());
    if (!isNoisy) await eventually(() => this.isSeen(sign)).toBe(true);
    await log(this.#page).focus();
    for (let step = 0; step < 3 && !(await this.isSeen(sign)); step++)
      await this.go(() => this.#page.keyboard.press('e'));
    expect(await this.isSeen(sign)).toBe(true);
  }

  /** Tries the lines folded into the error, then earlier warnings, then earlier changes. */
  async findCause(cause: string): Promise<void> {
    const folded = this.#page
      .getByRole('button', { name: /^\d+ (?:frames?|more lines?)$/, expanded: false })
      .first();
    if (!(await this.isSeen(cause)) && (await folded.isVisible())) await this.go(() => folded.click());
    for (let step = 0; step < 2 && !(await this.isSeen(cause)); step++)
      if (!(await this.go(() => this.#page.keyboard.press('Shift+W')))) break;
    if (!(await this.isSeen(cause))) await this.#findChange(cause);
    expect(await this.isSeen(cause), 'the line of the cause').toBe(true);
  }

  async #findChange(cause: string): Promise<void> {
    const search = this.#page.getByRole('searchbox', { name: 'Search in the logs' });
    await this.act(() => this.begin.click());
    await this.#page.getByRole('button', { name: 'Regular expression' }).click();
    await this.act(() => search.fill(CHANGE));
    await this.#page
      .getByRole('status', { name: 'Search', exact: true })
      .filter({ hasText: /hits? in/ })
      .waitFor();
    while (!(await this.isSeen(cause)) && this.actions < MAX_ACTIONS)
      await this.go(() => search.press('Shift+Enter'));
  }
}

describe.each(INCIDENTS)('the incident $name', ({ name, firstSign, cause, isNoisy = false }) => {
  const world = openWorld({ scenario: scenarioOf(name) });

  test('shows when it began and why, in a few steps, with no false statement', async () => {
    const toMs = Math.floor(Date.now() / 1000) * 1000 - 2_000;
    const truth = await readTruth(world.cluster.kubeconfig, 'shop', toMs);
    const first = truth.lines.find(({ text }) => text.includes(firstSign));
    const iso = (ms: number) => new Date(ms).toISOString();
    const query = `from=${iso(truth.fromMs)}&to=${iso(toMs)}&tz=utc`;
    const { page } = await openConsole(world, ['shop:pods/*'], { query });
    const onCall = new OnCall(page, truth);
    await onCall.awaitBegin();
    await onCall.checkBegin(first?.at ?? '', isNoisy);
    await onCall.findSign(firstSign, isNoisy);
    await onCall.findCause(cause);
    expect(onCall.actions).toBeLessThanOrEqual(MAX_ACTIONS);
    const regex = page.getByRole('button', { name: 'Regular expression', pressed: true });
    if (await regex.isVisible()) await regex.click();
    for (const text of [firstSign, cause, 'never written']) await checkHits(page, truth, text);
  });
});
