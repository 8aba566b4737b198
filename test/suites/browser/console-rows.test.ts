import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { heldLines, log, openConsole, rowWith, settledRows, shownRows, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { shopOf } from './shop-of.ts';
import { openWorld } from './world.ts';

const ESC = '\u001b';
const JSON_LINE =
  '{"level":"info","msg":"order placed","order":{"id":"A-17","total":12.5},"route":"/checkout"}';
const TRACE = '80c6a1f23b9c4d5e7a08b2d94c6e15f1';
const STRUCTURED = `{"time":"2026-11-21T10:00:00Z","level":"error","msg":"payment failed","user":"ada","trace_id":"${TRACE}","error":"deadline exceeded"}`;
const ACCESS = '10.0.0.9 - - [21/Nov/2026:10:00:00 +0000] "GET /cart HTTP/1.1" 503 12 "-" "curl/8.1"';
const world = openWorld({
  scenario: shopOf([
    {
      kind: 'Deployment',
      name: 'web',
      containers: [
        {
          name: 'app',
          lines: [
            'level=error broken',
            'level=warn slow',
            `${ESC}[31mred${ESC}[0m and ${ESC}[1mbold${ESC}[0m`,
            '<b>not markup</b> &amp; <script>document.title = "owned"</script>',
            JSON_LINE,
            '{"level":"info","msg":"other","route":"/cart"}',
            '    indented by four',
            ...Array.from(
              { length: 200 },
              (_, index) => `row ${index + 1} ${'long '.repeat(index % 3 === 0 ? 60 : 1)}`,
            ),
          ],
        },
      ],
    },
    {
      kind: 'Deployment',
      name: 'pay',
      containers: [
        {
          name: 'app',
          lines: [STRUCTURED, ACCESS, 'connection pool opened pool.max=60 node=db-0', 'the end'],
        },
      ],
    },
    {
      kind: 'Deployment',
      name: 'bank',
      containers: [{ name: 'app', lines: [`charged trace_id=${TRACE} ms=3`] }],
    },
  ]),
});
const SOURCES = ['shop:deployments/web'];

/** Opens the log with its first lines in view. */
async function openAtStart(query = '') {
  const visit = await openConsole(world, SOURCES, { query });
  await visit.page.keyboard.press('Home');
  await rowWith(visit.page, 'broken').waitFor();
  return visit;
}
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const result = (page: Page) => page.getByRole('status', { name: 'Result' });

test('console 30: the level is a letter as well as a color', async () => {
  const { page } = await openAtStart();
  const level = (text: string) => rowWith(page, text).locator('.level');
  expect(await level('broken').textContent()).toBe('E');
  expect(await level('slow').textContent()).toBe('W');
  expect(await level('order placed').textContent()).toBe('I');
  const color = (text: string) => level(text).evaluate((cell) => getComputedStyle(cell).color);
  expect(new Set([await color('broken'), await color('slow'), await color('order placed')]).size).toBe(3);
});

test('console 31: ANSI colors are drawn, raw escapes never, and HTML is text', async () => {
  const { page } = await openAtStart();
  const row = rowWith(page, 'red and bold').locator('.message');
  expect(await row.textContent()).toBe('red and bold');
  const red = row.getByText('red', { exact: true });
  expect(await red.evaluate((element) => getComputedStyle(element).color)).not.toBe(
    await row.evaluate((message) => getComputedStyle(message).color),
  );
  const markup = rowWith(page, 'not markup').locator('.message');
  expect(await markup.textContent()).toBe(
    '<b>not markup</b> &amp; <script>document.title = "owned"</script>',
  );
  expect(await markup.locator('b, script').count()).toBe(0);
  expect(await page.title()).not.toContain('owned');
  expect((await log(page).textContent()) ?? '').not.toContain(ESC);
  // Indentation is kept.
  const indented = rowWith(page, 'indented by four').locator('.message');
  expect(await indented.textContent()).toBe('    indented by four');
  expect(await indented.evaluate((message) => getComputedStyle(message).whiteSpace)).toMatch(/^pre/);
});

test('console 32: Enter on a JSON line opens a tree with include, exclude and show as column', async () => {
  const { page } = await openAtStart();
  await rowWith(page, 'order placed').locator('.message').click();
  await page.keyboard.press('Enter');
  const tree = page.getByRole('list', { name: 'Fields' });
  await tree.waitFor();
  expect(await rowWith(page, 'order placed').getAttribute('aria-expanded')).toBe('true');
  await tree.locator('[data-path="route"]').hover();
  await page.getByRole('button', { name: 'show as column: route' }).click();
  await page.waitForURL(/col=json:route/);
  await page.locator('.log-scroll .cell', { hasText: '/cart' }).first().waitFor();
  await page.getByRole('button', { name: 'include: route' }).click();
  await page.waitForURL(/field=route%3D|field=route=/);
  await eventually(async () => (await shownRows(page)).filter(({ kind }) => kind === 'line').length).toBe(1);
  await page.getByRole('button', { name: /^Remove the filter route/ }).click();
  await rowWith(page, 'other route=/cart').waitFor();
  await page.getByRole('button', { name: 'exclude: route' }).click();
  await rowWith(page, 'other route=/cart').waitFor();
  await eventually(() => rowWith(page, 'order placed').count()).toBe(0);
});

async function openPay(query = '') {
  const { page } = await openConsole(world, ['shop:deployments/pay', 'shop:deployments/bank'], { query });
  await rowWith(page, 'the end').waitFor();
  return page;
}
const messageOf = (page: Page, text: string) => rowWith(page, text).locator('.message');

test('a line of a known format shows its message, then what went wrong, then the rest; r shows it as written', async () => {
  const page = await openPay();
  const message = messageOf(page, 'payment failed');
  expect(await message.textContent()).toBe(
    'payment failed error="deadline exceeded" user=ada trace_id=80c6…f1',
  );
  expect(await message.locator('.pair.bad').textContent()).toBe('error="deadline exceeded"');
  expect(await messageOf(page, 'GET /cart').textContent()).toBe(
    'GET /cart HTTP/1.1 status=503 bytes=12 user_agent=curl/8.1 client=10.0.0.9',
  );
  expect(await rowWith(page, 'GET /cart').getAttribute('data-level')).toBe('error');
  const color = (text: string, at: string) =>
    messageOf(page, text)
      .locator(at)
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  // A possible cause is as legible as the message.
  expect(await color('pool.max', '.pair')).toBe(
    await messageOf(page, 'pool.max').evaluate((element) => getComputedStyle(element).color),
  );
  await page.keyboard.press('r');
  await eventually(() => message.textContent()).toBe(STRUCTURED);
  expect(new URL(page.url()).searchParams.get('raw')).toBe('1');
  await page.keyboard.press('r');
  await eventually(() => message.textContent()).not.toBe(STRUCTURED);
});

test('hits are marked where they are shown, ids whole, and named where they are not', async () => {
  const page = await openPay(`q=${TRACE.slice(8, 14)}`);
  const marked = (text: string) => messageOf(page, text).locator('mark').allTextContents();
  await eventually(() => marked('payment failed')).toEqual([TRACE.slice(8, 14)]);
  expect(await messageOf(page, 'payment failed').textContent()).toContain(TRACE);
  const other = await openPay('q=T10:00');
  await eventually(() => messageOf(other, 'payment failed').locator('mark').allTextContents()).toEqual([
    'hit in time',
  ]);
});

test('the fields of a line that is no JSON open too: include, exclude, and all lines with a value', async () => {
  const page = await openPay();
  await messageOf(page, 'pool.max').click();
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Fields' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await eventually(() => new URL(page.url()).searchParams.get('field')).toBe('pool.max=60');
  await eventually(async () => (await shownRows(page)).filter(({ kind }) => kind === 'line').length).toBe(1);
  await page.getByRole('button', { name: 'exclude: pool.max' }).click();
  await rowWith(page, 'payment failed').waitFor();
  await eventually(() => rowWith(page, 'pool.max').count()).toBe(0);
  await messageOf(page, 'payment failed').click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'find in all sources: trace_id' }).click();
  await eventually(
    async () =>
      (await shownRows(page)).filter(({ kind }) => kind === 'line').map(({ source }) => source).length,
  ).toBe(2);
  await rowWith(page, 'charged').waitFor();
  expect(await messageOf(page, 'charged').textContent()).toContain(TRACE);
});

test('each field of a row can be clicked where it stands: include, exclude, column, all lines with its value', async () => {
  const page = await openPay();
  const field = (text: string, pair: string) => messageOf(page, text).getByText(pair).first();
  const bar = page.getByRole('toolbar', { name: /^Field / });
  const act = (name: string) => bar.getByRole('button', { name }).click();
  await field('payment failed', 'user=ada').click();
  // The row becomes active, and the keys still go to the log.
  expect(await rowWith(page, 'payment failed').getAttribute('aria-selected')).toBe('true');
  expect(await log(page).evaluate((pane) => pane === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  expect(await rowWith(page, 'payment failed').getAttribute('aria-selected')).toBe('true');
  await field('payment failed', 'user=ada').click();
  await act('include: user');
  await eventually(async () => (await shownRows(page)).filter(({ kind }) => kind === 'line').length).toBe(1);
  expect(new URL(page.url()).searchParams.get('field')).toBe('user=ada');
  await bar.waitFor({ state: 'detached' });
  await field('payment failed', 'user=ada').click();
  await act('exclude: user');
  await rowWith(page, 'the end').waitFor();
  await eventually(() => rowWith(page, 'payment failed').count()).toBe(0);
  await page.getByRole('button', { name: 'Remove the filter not user ada' }).click();
  // A line that is not JSON.
  await field('pool.max', 'node=').click();
  await act('show as column: node');
  await page.locator('.log-scroll .cell', { hasText: 'db-0' }).first().waitFor();
  await field('payment failed', 'trace_id=').click();
  await act('find in all sources: trace_id');
  await rowWith(page, 'charged').waitFor();
  await eventually(async () => (await shownRows(page)).filter(({ kind }) => kind === 'line').length).toBe(2);
});

test('console 33: the wrap toggle keeps the first visible row', async () => {
  const { page } = await openConsole(world, SOURCES);
  await log(page).hover();
  await page.mouse.wheel(0, -900);
  await eventually(async () => (await shownTexts(page)).at(-1)).not.toMatch(/^row 200 /);
  const first = async () => (await shownRows(page)).find(({ top }) => top > -11)?.entry;
  // The wheel scrolls over several frames.
  await settledRows(page);
  const before = await first();
  const height = Math.max(...(await shownRows(page)).map((row) => row.height));
  await page.keyboard.press('z');
  await eventually(async () => Math.max(...(await shownRows(page)).map((row) => row.height))).toBeGreaterThan(
    height,
  );
  await settledRows(page);
  expect(await first()).toBe(before);
  await page.keyboard.press('z');
  await eventually(async () => Math.max(...(await shownRows(page)).map((row) => row.height))).toBe(height);
  expect(await first()).toBe(before);
});

test('console 34: click, Shift and Ctrl select; copy gives plain text in time order', async () => {
  const { page } = await openAtStart();
  const message = (text: string) => rowWith(page, text).locator('.message');
  await message('slow').click();
  await message('not markup').click({ modifiers: ['Shift'] });
  await message('broken').click({ modifiers: ['Control'] });
  await eventually(() => page.locator('.log-scroll [aria-selected="true"]').count()).toBe(4);
  await page.keyboard.press('c');
  await result(page).getByText('Copied 4 lines').waitFor();
  const copied = (await clipboard(page)).replace(/\n$/, '').split('\n');
  expect(copied.map((line) => line.replace(/^.*?(?=level=|red|<b>)/, ''))).toEqual([
    'level=error broken',
    'level=warn slow',
    'red and bold',
    '<b>not markup</b> &amp; <script>document.title = "owned"</script>',
  ]);
  await page.keyboard.press('Escape');
  await eventually(() => page.locator('.log-scroll [aria-selected="true"]').count()).toBe(0);
});

test('console 35: a copied link opens that exact line in a fresh browser', async () => {
  const { page } = await openAtStart('raw=1');
  await rowWith(page, 'order placed').locator('.message').click();
  await page.keyboard.press('l');
  await result(page).getByText('Copied a link to this line').waitFor();
  const link = await clipboard(page);
  expect(link.startsWith(`${world.server.origin}/console?`)).toBe(true);
  const { page: fresh } = await world.visit(link.slice(world.server.origin.length));
  await eventually(() => fresh.locator('.log-scroll .cur .message').textContent()).toBe(JSON_LINE);
});

test('copies times and pods, Markdown with a link, and the command of the view', async () => {
  const { page } = await openAtStart('raw=1');
  await rowWith(page, 'order placed').locator('.message').click();
  expect(await page.locator('.console').getAttribute('data-following')).toBe('false');
  await page.keyboard.press('Shift+C');
  await result(page).getByText('Copied 1 line').waitFor();
  const named = await clipboard(page);
  expect(named).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z [\w-]+\/[\w-]+ /);
  expect(named.endsWith(JSON_LINE)).toBe(true);
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Columns, wrapping and more' }).click();
    await page.getByRole('button', { name: item }).click();
  };
  await choose('Copy as Markdown');
  await eventually(() => clipboard(page)).toMatch(/^\[Logs\]\(http/);
  const markdown = await clipboard(page);
  expect(markdown).toContain(`\n\`\`\`text\n${named}\n\`\`\`\n`);
  const link = /\((.*?)\)/.exec(markdown)![1]!;
  const { page: fresh } = await world.visit(link.slice(world.server.origin.length));
  await eventually(() => fresh.locator('.log-scroll .cur .message').textContent()).toBe(JSON_LINE);
  await choose('Copy as logtool command');
  await result(page)
    .getByText(/^Copied a command/)
    .waitFor();
  expect(await clipboard(page)).toMatch(/^logtool logs shop:\S+ .*--kube-context \S+ /);
});

test('Ctrl+A selects the lines of the view, whatever part of it is drawn', async () => {
  const { page } = await openAtStart();
  await eventually(() => heldLines(page)).toBe(207);
  await log(page).focus();
  await page.keyboard.press('Control+A');
  await result(page)
    .getByText(/^Selected 20\d rows$/)
    .waitFor();
  await page.keyboard.press('c');
  await result(page).getByText('Copied 207 lines').waitFor();
});

test('a link to a line that is gone says so above the log, and offers its time', async () => {
  const { page } = await openConsole(world, SOURCES, {
    query: 'line=2020-01-01T00:00:00Z~0~gone%2Fapp%2Fcontainerd:%2F%2F0',
  });
  const note = page.getByRole('alert').filter({ hasText: 'The line of this link is no longer in the logs' });
  await note.waitFor();
  await note.getByRole('button', { name: 'Dismiss' }).click();
  await note.waitFor({ state: 'detached' });
});

test('a download that fails says why, and of which pod', async () => {
  const { page } = await openConsole(world, SOURCES, { allows: [/Failed to load resource/] });
  let isSaved = false;
  page.on('download', () => {
    isSaved = true;
  });
  const download = async () => {
    await page.getByRole('button', { name: 'Download lines' }).click();
    await page.getByRole('button', { name: /^All logs/ }).click();
  };
  world.cluster.inject({ kind: 'status', status: 500, match: 'GET .*/log' });
  try {
    await download();
    await eventually(() => result(page).textContent()).toMatch(
      /^The download failed: the cluster failed to answer for the log of pods "web-\S+" in namespace "shop": .*\(500\)$/,
    );
    expect(isSaved).toBe(false);
  } finally {
    world.cluster.clearFaults();
  }
  const [file] = await Promise.all([page.waitForEvent('download'), download()]);
  expect((await readFile(await file.path(), 'utf8')).length).toBeGreaterThan(1_000);
});

test('console 36: selection, view and range are downloaded as text, JSONL and CSV, with matching counts', async () => {
  const { page } = await openAtStart();
  await eventually(() => heldLines(page)).toBe(207);
  await rowWith(page, 'broken').locator('.message').click();
  await rowWith(page, 'not markup')
    .locator('.message')
    .click({ modifiers: ['Shift'] });
  const take = async (what: RegExp, kind: string) => {
    await page.getByRole('button', { name: 'Download lines' }).click();
    await page.getByRole('radio', { name: kind, exact: true }).check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: what }).click(),
    ]);
    return readFile(await download.path(), 'utf8');
  };
  const lines = (text: string) => text.replace(/\n$/, '').split('\n');
  expect(lines(await take(/^Selection/, 'Text'))).toHaveLength(4);
  const jsonl = lines(await take(/^This view/, 'JSON Lines')).map((line) => JSON.parse(line) as object);
  expect(jsonl).toHaveLength(207);
  const csv = lines((await take(/^All logs/, 'CSV')).replaceAll('\r\n', '\n'));
  expect(csv).toHaveLength(208);
  expect(csv.at(-1)).toContain('row 200 ');
  const text = lines(await take(/^All logs/, 'Text'));
  expect(text).toHaveLength(207);
  expect(text[0]).toContain('level=error broken');
});
