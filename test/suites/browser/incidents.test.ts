import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { log, openConsole, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { checkHits, checkStatements, readTruth } from './incident-truth.ts';
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

/** Returns the seconds of the day for `10:00:05`. */
function secondsOfDay(time: string): number {
  const [hours, minutes, seconds] = time.split(':').map(Number);
  return ((hours ?? Number.NaN) * 60 + (minutes ?? Number.NaN)) * 60 + (seconds ?? Number.NaN);
}

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

describe.each(INCIDENTS)('the incident $name', ({ name, firstSign, cause, isNoisy }) => {
  const world = openWorld({ scenario: scenarioOf(name) });

  test('shows when it began and why, in a few steps, with no false statement', async () => {
    const toMs = Math.floor(Date.now() / 1000) * 1000 - 2_000;
    const truth = await readTruth(world.cluster.kubeconfig, 'shop', toMs);
    const first = truth.lines.find(({ text }) => text.includes(firstSign));
    const iso = (ms: number) => new Date(ms).toISOString();
    const query = `from=${iso(truth.fromMs)}&to=${iso(toMs)}&tz=utc`;
    const { page } = await openConsole(world, ['shop:pods/*'], { query });
    let actions = 0;
    const act = async (action: () => Promise<unknown>) => {
      actions++;
      await action();
      await checkStatements(page, truth);
    };
    await eventually(() => page.locator('.facet-scope').textContent()).toMatch(/^Counts in /);
    const rest = page.getByRole('button', { name: 'Count the rest' });
    const begin = page.getByRole('button', { name: /^errors begin / });
    await begin.or(rest).first().waitFor();
    await checkStatements(page, truth);
    if (!(await begin.isVisible())) await act(() => rest.click());
    await begin.waitFor();
    const isSeen = async (text: string) => (await shownTexts(page)).some((shown) => shown.includes(text));
    const named = /^errors begin (\S+)$/.exec((await begin.textContent()) ?? '')?.[1] ?? '';
    if (isNoisy !== true) expect(named).toBe(first?.at.slice(11, 19));
    // Over a noise of errors the time is that of the first error in a bucket, which may belong to the noise.
    const width = /The first error of the (\d+) s from which on/.exec(
      (await begin.getAttribute('title')) ?? '',
    )?.[1];
    const earlyS = secondsOfDay(first?.at.slice(11, 19) ?? '') - secondsOfDay(named);
    expect(earlyS, `${named} of ${first?.at}`).toBeGreaterThanOrEqual(0);
    expect(earlyS, `${named} of ${first?.at}`).toBeLessThanOrEqual(Number(width));
    const position = async () => [
      await log(page).getAttribute('aria-activedescendant'),
      ...(await shownTexts(page)),
    ];
    const result = page.getByRole('status', { name: 'Result', exact: true });
    /** Whether the active row is drawn and in view. */
    const isActiveShown = () =>
      log(page).evaluate((pane) => {
        const row = document.getElementById(pane.getAttribute('aria-activedescendant') ?? '');
        const [own, view] = [row?.getBoundingClientRect(), pane.getBoundingClientRect()];
        return own !== undefined && own.bottom > view.top && own.top < view.bottom;
      });
    /**
     * Runs an action and waits until another row is active and drawn, or until the page reports no match:
     * false. Before the row is drawn, the user cannot tell whether it is the right one.
     */
    const go = async (action: () => Promise<unknown>) => {
      const before = await position();
      await act(action);
      const isNone = async () => /^No (error|warning|hit)/.test((await result.textContent()) ?? '');
      await eventually(
        async () => JSON.stringify(await position()) !== JSON.stringify(before) || (await isNone()),
      ).toBe(true);
      if (await isNone()) return false;
      await eventually(isActiveShown).toBe(true);
      return true;
    };
    const search = page.getByRole('searchbox', { name: 'Search in the logs' });
    await go(() => begin.click());
    if (isNoisy !== true) await eventually(() => isSeen(firstSign)).toBe(true);
    await log(page).focus();
    // A known error may be the last one before those of the incident.
    for (let step = 0; step < 3 && !(await isSeen(firstSign)); step++)
      await go(() => page.keyboard.press('e'));
    expect(await isSeen(firstSign)).toBe(true);
    // Tries the lines folded into the error, then earlier warnings, then earlier changes.
    const folded = page
      .getByRole('button', { name: /^\d+ (?:frames?|more lines?)$/, expanded: false })
      .first();
    if (!(await isSeen(cause)) && (await folded.isVisible())) await go(() => folded.click());
    for (let step = 0; step < 2 && !(await isSeen(cause)); step++)
      if (!(await go(() => page.keyboard.press('Shift+W')))) break;
    if (!(await isSeen(cause))) {
      await act(() => begin.click());
      await page.getByRole('button', { name: 'Regular expression' }).click();
      await act(() => search.fill(CHANGE));
      await page
        .getByRole('status', { name: 'Search', exact: true })
        .filter({ hasText: /hits? in/ })
        .waitFor();
      while (!(await isSeen(cause)) && actions < MAX_ACTIONS) await go(() => search.press('Shift+Enter'));
    }
    expect(await isSeen(cause), 'the line of the cause').toBe(true);
    expect(actions).toBeLessThanOrEqual(MAX_ACTIONS);
    const regex = page.getByRole('button', { name: 'Regular expression', pressed: true });
    if (await regex.isVisible()) await regex.click();
    for (const text of [firstSign, cause, 'never written']) await checkHits(page, truth, text);
  });
});
