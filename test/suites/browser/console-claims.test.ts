import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  checkStatement,
  type Line,
  listen,
  restingStatement,
  type Statement,
  statementsOf,
  type Truth,
  truthOf,
} from './claims.ts';
import { consolePath, log, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { shopOf } from './shop-of.ts';
import { openWorld } from './world.ts';

/*
 * Random ranges, filters, searches and faults over fully known logs: every statement of the page, in every
 * frame, is true. test/suites/truth runs thousands of such cases without a browser.
 */

/**
 * Runs the same few cases each time; LOGTOOL_BROWSER_CASES runs that many others, LOGTOOL_SEED beside it repeats those
 * of a failure.
 */
const { LOGTOOL_BROWSER_CASES, LOGTOOL_SEED } = process.env;
const COUNT = Number(LOGTOOL_BROWSER_CASES ?? 4);
const SEED = LOGTOOL_BROWSER_CASES === undefined ? 11 : Number(LOGTOOL_SEED ?? Date.now() % 1e9);

const APPS = ['web', 'pay', 'cart', 'mail'] as const;
const SPAN_MS = 1_200_000;
/** No container writes after this time. */
const END_MS = Math.floor(Date.now() / 1000) * 1000 - 180_000;
const TOKENS = ['timeout', 'refused', 'order placed', 'retry'] as const;
const LEVELS = ['error', 'warn', 'info', 'info', 'info', 'debug'] as const;

/** Writes lines of all containers, each with a distinct time. */
function writeLines(): readonly Line[] {
  const line = fc.record({
    app: fc.constantFrom(...APPS),
    level: fc.constantFrom(...LEVELS),
    token: fc.constantFrom(...TOKENS),
  });
  const drawn = fc.sample(line, { seed: SEED, numRuns: 900 });
  return drawn.map(({ app, level, token }, index) => ({
    app,
    level,
    atMs: END_MS - SPAN_MS + Math.floor((index * SPAN_MS) / drawn.length),
    text: `level=${level} n${index} ${token}`,
  }));
}

const LINES = writeLines();
const world = openWorld({
  scenario: shopOf(
    APPS.map((name) => ({
      kind: 'Deployment',
      name,
      containers: [
        {
          name: 'app',
          lines: LINES.filter(({ app }) => app === name).map(({ atMs, text }) => ({
            text,
            at: new Date(atMs).toISOString(),
          })),
        },
      ],
    })),
  ),
});

const fraction = fc.nat(1_000).map((thousandths) => thousandths / 1_000);
const token = fc.constantFrom(...TOKENS, 'never written');
const aCase = fc.record({
  apps: fc.subarray([...APPS], { minLength: 1 }),
  bounds: fc.tuple(fraction, fraction),
  levels: fc.subarray(['error', 'warn', 'info', 'debug', 'fatal'], { maxLength: 2 }),
  token: fc.option(token, { nil: undefined }),
  isOnly: fc.boolean(),
  refused: fc.constantFrom(undefined, undefined, undefined, ...APPS),
  laterToken: token,
  laterLevel: fc.constantFrom('error', 'warn', 'info', 'debug'),
});
type Case = typeof aCase extends fc.Arbitrary<infer T> ? T : never;

test.each(fc.sample(aCase, { seed: SEED, numRuns: COUNT }).map((one, index) => [index, one] as const))(
  `what the page says is true, whatever is asked: case %i of LOGTOOL_SEED=${SEED}`,
  async (_, one) => {
    if (one.refused !== undefined)
      world.cluster.inject({ kind: 'status', status: 500, text: 'no', match: `pods/${one.refused}-.*/log` });
    try {
      await play(one);
    } finally {
      world.cluster.clearFaults();
    }
  },
);

async function play(one: Case): Promise<void> {
  const { path, truth } = questionOf(one);
  const { page } = await world.visit(path, { prepare: listen });
  const quoted = (text: string | undefined) => (text === undefined ? '' : `"${text}"`);
  const check = async (isAsked: (statement: Statement) => boolean) => {
    const resting = await restingStatement(page, isAsked);
    for (const statement of await statementsOf(page)) checkStatement(truth, statement);
    await checkRows(page, truthOf(truth, resting).shown);
    return resting;
  };
  const opened = await check(({ search }) => search === quoted(one.token));
  expect([...opened.chosen].sort()).toEqual([...one.levels].sort());
  await page.getByRole('searchbox').fill(quoted(one.laterToken));
  await check(({ search }) => search === quoted(one.laterToken));
  await page.locator(`[data-facet="level"][data-value="${one.laterLevel}"] .facet-value`).click();
  const last = await check(
    ({ chosen }) => chosen.includes(one.laterLevel) !== opened.chosen.includes(one.laterLevel),
  );
  const { shown } = truthOf(truth, last);
  if (!last.scope.includes('without') && shown.length > 0) await checkNextError(page, shown);
}

function questionOf({ apps, bounds, levels, token, isOnly, refused }: Case): { path: string; truth: Truth } {
  const [fromMs = 0, toMs = 0] = bounds
    .map((at) => END_MS - SPAN_MS + Math.floor(at * SPAN_MS))
    .sort((a, b) => a - b);
  const params = new URLSearchParams([
    ['raw', '1'],
    ['tz', 'utc'],
    ['from', new Date(fromMs).toISOString()],
    ['to', new Date(toMs + 1_000).toISOString()],
    ...levels.map((level) => ['inc.level', level]),
    ...(token === undefined ? [] : [['q', `"${token}"`]]),
    ...(isOnly ? [['only', '1']] : []),
  ]);
  const path = consolePath(
    apps.map((app) => `shop:deployments/${app}`),
    params.toString(),
  );
  const isAsked = new Set<string>(apps);
  const lines = LINES.filter(({ app, atMs }) => isAsked.has(app) && atMs >= fromMs && atMs < toMs + 1_000);
  return { path, truth: { lines, isReadable: ({ app }) => app !== refused } };
}

/** Checks that the visible rows pass the filters and are consecutive, in the written order. */
async function checkRows(page: Page, shown: readonly Line[]): Promise<void> {
  const texts = shown.map(({ text }) => text);
  await eventually(async () => {
    const rows = (await shownTexts(page)).filter((text) => text.startsWith('level='));
    const first = texts.indexOf(rows[0] ?? '');
    const isSame = rows.every((text, index) => text === texts[first + index]);
    return isSame && rows.length > 0 === texts.length > 0 ? 'as written' : rows;
  }).toBe('as written');
}

/** Checks that, from the first line on, `e` goes to the next error and never skips one. */
async function checkNextError(page: Page, shown: readonly Line[]): Promise<void> {
  const active = () => page.locator('.log-scroll .cur .message').allTextContents();
  await log(page).focus();
  await page.keyboard.press('Home');
  await eventually(active).toEqual([shown[0]?.text]);
  const next = shown.slice(1).find(({ level }) => level === 'error');
  await page.keyboard.press('e');
  if (next !== undefined) return eventually(active).toEqual([next.text]);
  await page.getByRole('status', { name: 'Result' }).filter({ hasText: /no /i }).waitFor();
  expect(await active()).toEqual([shown[0]?.text]);
}
