import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { colorsOf } from './colors.ts';
import {
  consolePath,
  heldLines,
  log,
  openConsole,
  rowWith,
  type ShownRow,
  settledRows,
  shownRows,
  shownTexts,
} from './console-page.ts';
import { eventually } from './eventually.ts';
import { shopOf } from './shop-of.ts';
import { timeAnswer } from './time-answer.ts';
import { openWorld } from './world.ts';

const LINES = [
  ...Array.from({ length: 60 }, (_, index) => `ordinary line ${index + 1}`),
  'level=error Payment refused',
  'level=warn payment slow',
  '{"level":"info","msg":"payment done","order":{"id":"A-17"}}',
  ...Array.from({ length: 60 }, (_, index) => `plain line ${index + 1}`),
  'level=error prepayment lost',
  'level=warn cart slow',
  ...Array.from({ length: 60 }, (_, index) => `last line ${index + 1}`),
];
const WIDE = [
  'first',
  `${'a wide line '.repeat(60)}needle`,
  'between',
  `${'wider '.repeat(800)}needle ends`,
  'last',
];
const world = openWorld({
  scenario: shopOf([
    { kind: 'Deployment', name: 'web', containers: [{ name: 'app', lines: LINES }] },
    { kind: 'Deployment', name: 'quiet', containers: [{ name: 'app' }] },
    { kind: 'Deployment', name: 'wide', containers: [{ name: 'app', lines: WIDE }] },
  ]),
});
const SOURCES = ['shop:deployments/web'];
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search in the logs' });
const hits = (page: Page) => page.getByRole('status', { name: 'Search' });
const marks = (page: Page) => page.locator('.log-scroll mark').allTextContents();
const rowCount = async (page: Page) => Number(await log(page).getAttribute('aria-rowcount'));

test('console 22: / focuses the search, and matching starts within 200 ms', async () => {
  const { page } = await openConsole(world, SOURCES);
  await log(page).focus();
  // Measured inside the page, from the key to the first drawn mark or count. Uses the fastest of several
  // keys, because a busy machine is slower than the page.
  const tookMs: number[] = [];
  for (const key of 'lastlineline') {
    await log(page).focus();
    await page.keyboard.press('/');
    expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(true);
    await field(page).fill('');
    await hits(page).waitFor({ state: 'detached' });
    tookMs.push(
      await timeAnswer(
        page,
        () => page.keyboard.type(key),
        () => document.querySelector('.log-scroll mark') !== null,
        undefined,
      ),
    );
  }
  expect(Math.min(...tookMs)).toBeLessThan(200);
});

test('the number of a found hit goes with its search', async () => {
  const { page } = await openConsole(world, SOURCES);
  await field(page).fill('payment refused');
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('1');
  await field(page).press('Shift+Enter');
  await eventually(() => hits(page).textContent()).toContain('1 of 1');
  for (const [text, count] of [
    ['zzzz', '0 hits'],
    ['payment', '4 hits'],
  ] as const) {
    await field(page).fill(text);
    await eventually(() => hits(page).textContent()).toContain(count);
    expect(await hits(page).textContent()).not.toContain(' of ');
  }
});

test('console 23: Aa, word and .* are toggles that say whether they are pressed, and survive a reload', async () => {
  const { page } = await openConsole(world, SOURCES);
  await field(page).fill('payment');
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('4');
  const toggle = (name: string) => page.getByRole('button', { name, exact: true });
  await toggle('Match case').click();
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('3');
  await toggle('Whole words').click();
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('2');
  await toggle('Regular expression').click();
  await field(page).fill('pay\\w+');
  await page.waitForURL((url) => url.searchParams.get('q') === 'pay\\w+');
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('2');
  await page.reload();
  for (const name of ['Match case', 'Whole words', 'Regular expression']) {
    await eventually(() => toggle(name).getAttribute('aria-pressed')).toBe('true');
  }
  expect(await field(page).inputValue()).toBe('pay\\w+');
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('2');
});

test('console 24: a bad expression marks the character and keeps the results', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'regex=1&only=1&q=payment' });
  await eventually(() => rowCount(page)).toBe(4);
  await field(page).press('End');
  await field(page).pressSequentially('(ab');
  const fault = page.locator('[data-fault]');
  await fault.waitFor();
  expect(await fault.textContent()).toBe('(');
  expect(await page.getByRole('alert').textContent()).toMatch(/\w/);
  expect(await field(page).getAttribute('aria-invalid')).toBe('true');
  expect(await rowCount(page)).toBe(4);
});

test('an invalid search has no count and no next hit, whatever was searched before it', async () => {
  const NOTHING = 'not searched; the log shows the previous search';
  const { page } = await openConsole(world, SOURCES, { query: 'q=payment' });
  const active = page.locator('.log-scroll [data-kind="line"][aria-selected="true"]');
  const result = page.getByRole('status', { name: 'Result' });
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('4');
  await field(page).fill('@level:erorr');
  await page.getByRole('alert').getByText('no level erorr; did you mean error?').waitFor();
  await eventually(() => hits(page).textContent()).toBe(NOTHING);
  expect(await hits(page).getAttribute('data-hits')).toBeNull();
  expect(await field(page).getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('button', { name: 'Next hit (Enter)' }).count()).toBe(0);
  const before = await active.count();
  await field(page).press('Enter');
  await eventually(() => result.textContent()).toBe('The search has an error: logtool did not search');
  expect(await active.count()).toBe(before);
  await page.reload();
  await eventually(() => hits(page).textContent()).toBe('not searched');
  // A corrected search gets a count again.
  await field(page).fill('@level:error');
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('2');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await field(page).fill('pay(');
  await page.getByRole('alert').waitFor();
  await eventually(() => hits(page).textContent()).toBe(NOTHING);
  // A previous search without hits does not make an invalid search one without hits.
  await page.getByRole('button', { name: 'Matching lines only' }).click();
  await field(page).fill('payment to the moon');
  await page.getByText('No lines match the filters').waitFor();
  await field(page).fill('payment to the (moon');
  await page.getByText('The search has an error', { exact: true }).waitFor();
  expect(await page.getByText('No lines match the filters').count()).toBe(0);
});

test('console 25: -text excludes, @level:error and @json.path:value choose', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'only=1&raw=1' });
  const found = async (text: string) => {
    await field(page).fill(text);
    await page.waitForURL((url) => url.searchParams.get('q') === text);
    await eventually(() => hits(page).getAttribute('data-search')).toBe('done');
    await eventually(
      async () => (await rowCount(page)) === Number(await hits(page).getAttribute('data-hits')),
    ).toBe(true);
    return (await shownTexts(page)).map((line) => line.slice(0, 24));
  };
  await eventually(() => found('payment -slow -prepayment')).toEqual([
    'level=error Payment refu',
    '{"level":"info","msg":"p',
  ]);
  await eventually(() => found('@level:error')).toEqual([
    'level=error Payment refu',
    'level=error prepayment l',
  ]);
  await eventually(() => found('@json.order.id:A-17')).toEqual(['{"level":"info","msg":"p']);
});

test('a mistyped key is an error with the near one, a field that no line has a note, and the search continues', async () => {
  const { page } = await openConsole(world, SOURCES);
  await field(page).fill('@levle:error');
  await page.getByRole('alert').getByText('no key @levle; did you mean @level?').waitFor();
  await field(page).fill('@order.idd:A-17');
  const note = page.getByRole('status', { name: 'Field' });
  await eventually(() => note.textContent()).toBe(
    'no line read so far has the field order.idd; did you mean order.id?',
  );
  expect(await page.getByRole('alert').count()).toBe(0);
  await field(page).fill('@order.id:A-17');
  await eventually(() => note.textContent()).toBe('');
  await eventually(() => hits(page).getAttribute('data-hits')).toBe('1');
});

test('the button beside the field says how to search, and which fields the lines have', async () => {
  const { page } = await openConsole(world, SOURCES);
  await page.getByRole('button', { name: 'How to search' }).click();
  const help = page.getByRole('dialog', { name: 'How to search' });
  await help.getByText('@duration_ms:>100').waitFor();
  await eventually(() => help.textContent()).toMatch(/Fields in a sample of \d+ lines: .*order\.id/);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
});

test('the list of fields is titled as that of a sample, and so is each of its counts', async () => {
  const { page } = await openConsole(world, SOURCES);
  const fields = page.getByRole('region', { name: 'Fields in a sample' });
  await eventually(() => fields.getByRole('heading').textContent()).toBe(
    `Fields in a sample of ${LINES.length} lines`,
  );
  await fields.getByRole('button', { name: 'order.id 1 line of the sample' }).waitFor();
});

test('console 26: works without the agent, and says how far back was searched', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'q=payment' });
  await eventually(() => hits(page).textContent()).toMatch(
    /^searched back to (\S+ )?\d\d:\d\d:\d\d · 4 hits$/,
  );
  expect(await heldLines(page)).toBe(LINES.length);
});

test('console 27: find marks all hits, counts "3 of 4", and moves on with Enter and Shift+Enter', async () => {
  const { page } = await openConsole(world, SOURCES);
  await field(page).fill('payment');
  await eventually(() => hits(page).textContent()).toMatch(/4 hits$/);
  const tops: string[] = [];
  for (let times = 0; times < 4; times++) {
    await field(page).press('Shift+Enter');
    await eventually(() => hits(page).textContent()).toMatch(new RegExp(`${4 - times} of 4$`));
    tops.push((await page.locator('.log-scroll .cur .message').textContent()) ?? '');
  }
  expect(tops[0]).toContain('prepayment lost');
  expect(tops[3]).toContain('Payment refused');
  await field(page).press('Enter');
  await eventually(() => hits(page).textContent()).toMatch(/2 of 4$/);
  // All three adjacent hits have marks.
  await eventually(async () => (await marks(page)).map((text) => text.toLowerCase())).toEqual(
    Array.from({ length: 3 }, () => 'payment'),
  );
});

test('console 27: the first Enter takes the hit in view, and finds those above where none is below', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'q=payment' });
  await eventually(() => hits(page).textContent()).toMatch(/4 hits$/);
  const current = () => page.locator('.log-scroll .cur .message').textContent();
  // If no hit is in view, starts at the end.
  await field(page).press('Enter');
  await eventually(() => hits(page).textContent()).toMatch(/4 of 4$/);
  expect(await current()).toContain('prepayment lost');
  const { page: top } = await openConsole(world, SOURCES, { query: 'q=ordinary&only=1' });
  await top.keyboard.press('Home');
  await rowWith(top, 'ordinary line 1').waitFor();
  await field(top).press('Enter');
  await eventually(() => hits(top).textContent()).toMatch(/1 of 60$/);
});

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

test('console 27: a hit far to the right is brought into view, and the line goes back when another is gone to', async () => {
  const { page } = await openConsole(world, ['shop:deployments/wide'], { query: 'q=needle' });
  await eventually(() => hits(page).textContent()).toMatch(/2 hits$/);
  const message = page.locator('.log-scroll .cur .message');
  const seen = () =>
    message.evaluate((cell) => {
      const [mark, box] = [cell.querySelector('mark'), cell].map((element) =>
        element?.getBoundingClientRect(),
      );
      return mark !== undefined && box !== undefined && mark.left >= box.left && mark.right <= box.right;
    });
  for (const nth of [2, 1]) {
    await field(page).press('Shift+Enter');
    await eventually(() => hits(page).textContent()).toMatch(new RegExp(`${nth} of 2$`));
    await eventually(seen).toBe(true);
    // The hit is really drawn: its background without text has only one color.
    const { x, y, width, height } = (await message.locator('mark').first().boundingBox()) ?? NOWHERE;
    const inside = { x: x + 3, y: y + 3, width: width - 6, height: height - 6 };
    await eventually(async () => (await colorsOf(page, inside)).length).toBeGreaterThan(1);
  }
  const moved = () =>
    page.locator('.log-scroll .message').evaluateAll((all) => all.filter((one) => one.scrollLeft > 0).length);
  expect(await moved()).toBe(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowUp');
  await eventually(moved).toBe(0);
});

test('console 27: where no line is yet, Enter says so', async () => {
  const { page } = await world.visit(consolePath(['shop:deployments/quiet']));
  await page.getByText('No lines yet; following').waitFor();
  await field(page).fill('payment');
  await field(page).press('Enter');
  await page.getByRole('status', { name: 'Result' }).getByText('No lines are loaded').waitFor();
});

test('console 27: how hits are counted up is not read out with every line, and moves nothing beside it', async () => {
  const { page } = await openConsole(world, ['shop:deployments/quiet', ...SOURCES], { query: 'q=more' });
  await eventually(() => hits(page).getAttribute('aria-live')).toBe('off');
  const toggle = page.getByRole('button', { name: 'Matching lines only' });
  const before = await toggle.boundingBox();
  await world.cluster.control.writeLines({ workload: 'deployments/quiet', text: 'more {n}', count: 1_200 });
  await eventually(() => hits(page).textContent()).toMatch(/1,200 hits$/);
  expect(await hits(page).getAttribute('aria-live')).toBe('off');
  expect(await toggle.boundingBox()).toEqual(before);
  await field(page).press('Shift+Enter');
  await eventually(() => hits(page).getAttribute('aria-live')).toBe('polite');
});

test('console 28: "Show around" opens the lines on each side, Back restores the view', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'q=prepayment&only=1' });
  await eventually(() => rowCount(page)).toBe(1);
  await rowWith(page, 'prepayment lost').locator('.message').click();
  await page.getByRole('button', { name: 'Show around' }).click();
  await eventually(() => rowCount(page)).toBeGreaterThanOrEqual(41);
  // The line reaches its place in the view only after the rows above it are drawn.
  await eventually(async () => {
    const texts = await shownTexts(page);
    const at = texts.indexOf('level=error prepayment lost');
    return [texts[at - 1], texts[at + 2]];
  }).toEqual(['plain line 60', 'last line 1']);
  await log(page).hover();
  await eventually(async () => {
    await page.mouse.wheel(0, -60);
    return (await shownTexts(page)).includes('plain line 41');
  }).toBe(true);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await eventually(() => rowCount(page)).toBe(1);
  expect(new URL(page.url()).searchParams.get('q')).toBe('prepayment');
});

test('console 28: Show around shows the line in the middle, and Back what was seen before, to the pixel', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'q=line&only=1' });
  await eventually(() => rowCount(page)).toBe(180);
  await log(page).hover();
  await page.mouse.wheel(0, -1_500);
  // The browser scrolls before the page draws: a frame in between shows no row.
  await eventually(async () => {
    const texts = await shownTexts(page);
    return texts.length > 8 && texts.at(-1) !== 'last line 60';
  }).toBe(true);
  const topsOf = (shown: readonly ShownRow[]) => shown.map(({ entry, top }) => [entry, top]);
  const rows = await settledRows(page);
  const before = topsOf(rows);
  const chosen = rows[8];
  await page.locator(`[data-entry="${chosen?.entry}"] .message`).click();
  await page.getByRole('button', { name: 'Show around' }).click();
  await eventually(() => rowCount(page)).toBeGreaterThan(180);
  const pane = (await log(page).boundingBox())?.height ?? 0;
  await eventually(async () => {
    const row = (await shownRows(page)).find(({ entry }) => entry === chosen?.entry);
    return row === undefined ? undefined : Math.abs(row.top + row.height / 2 - pane / 2);
  }).toBeLessThan(40);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await eventually(async () => topsOf(await shownRows(page))).toEqual(before);
});

test('console 28: following resumes after Back', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'q=last&only=1' });
  const following = () => page.locator('.console').getAttribute('data-following');
  await rowWith(page, 'last line 60').waitFor();
  await log(page).focus();
  // A click on a row would stop following.
  await page.keyboard.press('ArrowDown');
  expect(await following()).toBe('true');
  await page.keyboard.press('a');
  await eventually(following).toBe('false');
  await page.keyboard.press('a');
  await eventually(following).toBe('true');
});

test('console 29: e and w jump between errors and warnings, with Shift back', async () => {
  const { page } = await openConsole(world, SOURCES);
  await log(page).focus();
  const current = () => page.locator('.log-scroll .cur .message').textContent();
  const press = async (key: string, text: string) => {
    await page.keyboard.press(key);
    await eventually(current).toContain(text);
  };
  await press('Shift+E', 'prepayment lost');
  await press('Shift+E', 'Payment refused');
  await press('e', 'prepayment lost');
  await press('w', 'cart slow');
  await press('Shift+W', 'payment slow');
  await press('w', 'cart slow');
  expect((await shownRows(page)).length).toBeGreaterThan(5);
});
