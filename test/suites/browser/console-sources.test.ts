import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { heldLines, log, openConsole, rowWith, shownRows, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { DB, LONG, TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });
const facet = (page: Page, name: string, value: string) =>
  page.locator(`[data-facet="${name}"][data-value="${value}"]`);
const numberIn = (text: string | null) => Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', ''));
const marker = (page: Page, kind: string) => page.locator(`[data-marker="${kind}"]`);

test('console 17: adding a source never reloads the page', async () => {
  const { page } = await openConsole(world, [WEB]);
  await page.evaluate(() => Object.assign(globalThis, { isStill: true }));
  const held = await heldLines(page);
  await page.getByRole('button', { name: 'Add a source' }).click();
  await page.getByRole('textbox', { name: 'Source' }).fill(DB);
  await page.keyboard.press('Enter');
  await eventually(() => heldLines(page)).toBeGreaterThan(held);
  await page.locator('[data-facet="container"]', { hasText: 'db-1' }).waitFor();
  expect(new URL(page.url()).searchParams.getAll('src')).toEqual([WEB, DB]);
  expect(await page.evaluate(() => (globalThis as unknown as { isStill?: boolean }).isStill)).toBe(true);
  // Its lines before the first loaded line load like any older page.
  await log(page).focus();
  await page.keyboard.press('Home');
  await page.getByText('Beginning of logs').waitFor();
  await eventually(() => heldLines(page)).toBe(held + 40);
  await eventually(async () => (await shownTexts(page)).some((text) => text === 'db line 1')).toBe(true);
  // A part of a name is enough: Enter selects the first matching workload.
  await page.getByRole('button', { name: 'Add a source' }).click();
  await page.getByRole('textbox', { name: 'Source' }).fill('lon');
  await page.getByRole('button', { name: LONG }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(() => new URL(page.url()).searchParams.getAll('src')).toEqual([WEB, DB, LONG]);
  // Errors in the text appear in place.
  await page.getByRole('button', { name: 'Add a source' }).click();
  await page.getByRole('textbox', { name: 'Source' }).fill('a/b/c/d/e');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Source' }).fill('zzzz');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Nothing else matches zzzz').waitFor();
  // An object that does not exist yet can be opened by its kind.
  await page.getByRole('textbox', { name: 'Source' }).fill('shop:jobs/later');
  await page.keyboard.press('Enter');
  await eventually(() => new URL(page.url()).searchParams.getAll('src')).toEqual([
    WEB,
    DB,
    LONG,
    'shop:jobs/later',
  ]);
});

test('each source can be seen and removed at any width, in its chip or in the list', async () => {
  const opened = [`${WEB}/app`, DB, LONG, 'shop:pods/db-0'];
  const { page } = await openConsole(world, opened);
  const number = page.getByRole('button', { name: '4 sources', exact: true });
  /** The sources whose button to remove them is on top and inside the window. */
  const removable = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('.source-chip button')].filter((button) => {
          const { x, y, width, height } = button.getBoundingClientRect();
          return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }).length,
    );
  let chips = 0;
  for (const width of [2_000, 1_440, 1_280, 1_024, 760, 400, 2_000]) {
    await page.setViewportSize({ width, height: 800 });
    await eventually(async () => (await number.count()) * 4 + (await removable())).toBe(4);
    if ((await number.count()) === 0) chips++;
  }
  expect(chips).toBeGreaterThanOrEqual(2);
  await page.setViewportSize({ width: 400, height: 800 });
  if ((await number.count()) > 0) await number.click();
  await page.getByRole('button', { name: `Remove ${LONG}` }).click();
  await eventually(() => new URL(page.url()).searchParams.getAll('src')).toEqual(
    opened.filter((source) => source !== LONG),
  );
});

test('many sources are a number with a list, a container is added by its name, and the view is saved', async () => {
  const opened = [WEB, DB, LONG, 'shop:pods/db-0'];
  const { page } = await openConsole(world, opened);
  const chips = page.locator('.source-chip');
  await eventually(() => chips.count()).toBe(4);
  await page.getByRole('button', { name: 'Add a source' }).click();
  await page.getByRole('textbox', { name: 'Source' }).fill('postg');
  await page.getByRole('button', { name: `${DB}/postgres` }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(() => new URL(page.url()).searchParams.getAll('src')).toEqual([
    ...opened,
    `${DB}/postgres`,
  ]);
  expect(await chips.count()).toBe(0);
  await page.getByRole('button', { name: '5 sources', exact: true }).click();
  const list = page.getByRole('dialog', { name: 'Sources' });
  expect(await list.getByRole('listitem').allInnerTexts()).toEqual([...opened, `${DB}/postgres`]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('textbox', { name: 'Name of this view' }).fill('all of the shop');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'all of the shop' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '5 sources', exact: true }).click();
  await list.getByRole('button', { name: `Remove ${LONG}` }).click();
  await eventually(() => chips.count()).toBe(4);
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('link', { name: 'all of the shop' }).click();
  await page.getByRole('button', { name: '5 sources', exact: true }).waitFor();
});

test('containers are listed by workload with those that are not shown, which a click adds, or a switch all', async () => {
  const { page: console } = await openConsole(world, ['shop:pods/*']);
  const side = console.locator('.facets');
  const group = (name: string) => side.getByRole('region', { name, exact: true });
  await eventually(() => group('db').locator('[data-facet="container"]').count()).toBe(2);
  await eventually(() => group('web').locator('[data-facet="container"]').count()).toBe(1);
  expect(await group('web').locator('.facet-add').count()).toBe(0);
  // Each value has one tab stop; the arrow reaches its exclude button.
  const value = group('web').locator('.facet-value');
  await value.focus();
  await console.keyboard.press('ArrowRight');
  expect(await console.evaluate(() => document.activeElement?.className)).toBe('facet-exclude');
  expect(
    await side
      .locator('.facet-exclude')
      .evaluateAll((all) => all.every((each) => (each as HTMLElement).tabIndex === -1)),
  ).toBe(true);
  await group('db').getByRole('button', { name: 'Add the container metrics' }).click();
  await eventually(() => new URL(console.url()).searchParams.getAll('src')).toEqual([
    'shop:pods/*',
    'shop:pods/*/metrics',
  ]);
  await eventually(() => group('db').locator('[data-facet="container"]').count()).toBe(4);
  await eventually(() => side.locator('.facet-add').count()).toBe(0);
  await console.goBack();
  await console.getByRole('checkbox', { name: 'All containers' }).check();
  await eventually(() => new URL(console.url()).searchParams.getAll('src')).toEqual(['shop:pods/*/*']);
  await eventually(() => group('db').locator('[data-facet="container"]').count()).toBe(4);
  await console.getByRole('checkbox', { name: 'All containers' }).uncheck();
  await eventually(() => new URL(console.url()).searchParams.getAll('src')).toEqual(['shop:pods/*']);
});

test('another workload is opened from the console by its name: its newest lines, followed', async () => {
  const { page } = await openConsole(world, [WEB], { query: 'q=line' });
  await log(page).focus();
  await page.keyboard.press('Home');
  await eventually(() => new URL(page.url()).searchParams.get('follow')).toBe('0');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Go to/ }).fill('long');
  await page.getByRole('option', { name: /^long shop · Deployment/ }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(async () => (await shownTexts(page)).at(-1)).toBe('old line 12000');
  expect(new URL(page.url()).search).toBe(`?ctx=admin&src=${LONG}`);
  expect(await page.locator('button.follow').getAttribute('aria-pressed')).toBe('true');
  // Same as opening from the list: not all of its lines, and no remark about lines shown earlier.
  expect(await heldLines(page)).toBe(1_000);
  expect(await page.locator('[data-marker]').count()).toBe(0);
  await page.goBack();
  await eventually(async () => (await shownTexts(page)).some((text) => /^web line/.test(text))).toBe(true);
  expect(await page.locator('button.follow').getAttribute('aria-pressed')).toBe('false');
});

test('a source that is removed and added again is whole, and not reported as deleted meanwhile', async () => {
  const { page } = await openConsole(world, [WEB, DB]);
  const all = 340;
  await eventually(() => heldLines(page)).toBeGreaterThanOrEqual(all);
  const held = await heldLines(page);
  await page.getByRole('button', { name: /^Remove.*db/ }).click();
  await eventually(() => heldLines(page)).toBe(held - 40);
  await page.goBack();
  await page.locator('[data-facet="container"]', { hasText: 'db-1' }).waitFor();
  // Its lines before the first loaded line load like any older page.
  await log(page).focus();
  await page.keyboard.press('Home');
  await eventually(() => heldLines(page)).toBe(held);
  expect(await page.getByText('deleted meanwhile').count()).toBe(0);
});

test('console 18: facets show the number of lines of each container, place and level', async () => {
  await world.cluster.control.writeLines({
    workload: 'deployments/web',
    text: ['level=error one', 'level=error two', 'level=warn three'],
  });
  const { page } = await openConsole(world, [WEB, DB]);
  await eventually(() => heldLines(page)).toBe(343);
  const count = (name: string, value: string) =>
    facet(page, name, value).locator('.facet-count').textContent().then(numberIn);
  await eventually(() => count('level', 'error')).toBe(2);
  await eventually(() => count('level', 'warn')).toBe(1);
  const numbers = async (name: string) =>
    (await page.locator(`[data-facet="${name}"] .facet-count`).allTextContents())
      .map(numberIn)
      .sort((a, b) => a - b);
  await eventually(() => numbers('container')).toEqual([20, 20, 303]);
  for (const name of ['node', 'zone', 'arch'] as const) {
    const values = await numbers(name);
    expect(
      values.reduce((sum, value) => sum + value, 0),
      name,
    ).toBe(343);
  }
  // With one region and one operating system there is nothing to filter by; both are columns.
  for (const column of ['region', 'os']) {
    await page.getByRole('button', { name: 'Columns, wrapping and more' }).click();
    await page.getByRole('checkbox', { name: column, exact: true }).check();
    await page.keyboard.press('Escape');
  }
  await page.locator('.log-scroll .cell', { hasText: 'eu-west-1' }).first().waitFor();
  await page.locator('.log-scroll .cell', { hasText: 'linux' }).first().waitFor();
});

test('console 19: a click includes, Alt-click excludes, both as chips that can be taken away', async () => {
  const { page } = await openConsole(world, [WEB, DB]);
  await rowWith(page, 'web line').waitFor();
  const value = page.locator('[data-facet="container"]', { hasText: 'db-0' }).getByRole('button').first();
  await value.click();
  await eventually(async () => new Set((await shownRows(page)).map(({ source }) => source)).size).toBe(1);
  await eventually(
    async () => (await shownTexts(page)).filter((text) => text.startsWith('db line')).length,
  ).toBe(20);
  const chip = page.locator('[data-chip]');
  expect(await chip.count()).toBe(1);
  expect(await chip.textContent()).toMatch(/^container: db-0\/postgres/);
  await chip.getByRole('button', { name: /^Remove the filter/ }).click();
  await rowWith(page, 'web line').waitFor();
  await value.click({ modifiers: ['Alt'] });
  await eventually(() => chip.textContent()).toMatch(/^not container: db-0\/postgres/);
  await page.waitForURL(/exc\.container=/);
  await eventually(
    async () => (await page.locator('.log-scroll').getAttribute('aria-rowcount')) !== null,
  ).toBe(true);
  await eventually(async () => (await shownTexts(page)).some((text) => text.startsWith('web line'))).toBe(
    true,
  );
  await page.reload();
  await rowWith(page, 'web line').waitFor();
  expect(await chip.count()).toBe(1);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await eventually(() => chip.count()).toBe(0);
});

test('console 20: a new pod joins with a marker in place; restarts and gaps are rows too', async () => {
  const { page } = await openConsole(world, [DB], { height: 2_400 });
  await world.cluster.control.scale({ workload: 'statefulsets/db', replicas: 3 });
  await marker(page, 'joined').first().waitFor();
  expect(await marker(page, 'joined').first().textContent()).toMatch(/^db-2\/postgres joined/);
  await world.cluster.control.crashContainer({ workload: 'statefulsets/db', index: 0 });
  // One row reports how the previous run ended, at its time, and that the next one started.
  const exit = page.locator('[data-fact="exited"]').filter({ hasText: 'restarted' });
  await exit.first().waitFor();
  expect(await exit.first().textContent()).toMatch(
    /\d\d:\d\d:\d\d~db-0\/postgres exited \d+ \w+ after .+ · restarted .+ later, 1st time$/,
  );
  await eventually(() => marker(page, 'restarted').count()).toBe(0);
  // A log that was rotated away while it was unreadable is a gap.
  await world.cluster.control.killServer();
  await world.cluster.control.writeLines({
    workload: 'statefulsets/db',
    index: 2,
    text: 'lost {n}',
    count: 50,
  });
  for (let times = 0; times < 2; times++) {
    await world.cluster.control.rotateLog({ workload: 'statefulsets/db', index: 2 });
    await world.cluster.control.writeLines({
      workload: 'statefulsets/db',
      index: 2,
      text: 'after {n}',
      count: 5,
    });
  }
  await world.cluster.startServer();
  await marker(page, 'gap').first().waitFor();
  expect(await marker(page, 'gap').first().textContent()).toMatch(/lines may be missing/);
  // The chart marks the gap and describes it.
  const chart = page.getByRole('slider', { name: 'Time range of the lines' });
  await eventually(() => chart.getAttribute('aria-valuetext')).toMatch(/; lines may be missing in \d gaps?$/);
  await world.cluster.control.scale({ workload: 'statefulsets/db', replicas: 2 });
});

test('a container that restarted runs, though its earlier run is loaded after the present one', async () => {
  const crash = { workload: 'deployments/long' };
  const row = (page: Page) => page.locator('[data-facet="container"]');
  const lines = async (page: Page) => numberIn(await row(page).locator('.facet-count').textContent());
  await world.cluster.control.crashContainer(crash);
  const { page } = await openConsole(world, [LONG]);
  await eventually(() => row(page).textContent()).toContain('running');
  expect(await row(page).getByTitle('restarted 1 time', { exact: true }).count()).toBe(1);
  const before = await lines(page);
  await log(page).focus();
  await page.keyboard.press('Home');
  await eventually(() => lines(page)).toBeGreaterThan(before);
  await eventually(() => page.locator('[data-facet="run"]').count()).toBe(2);
  expect(await row(page).textContent()).toContain('running');
  expect(await page.getByRole('status', { name: 'Connection' }).textContent()).toBe('connected');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.getByRole('button', { name: 'Following', exact: true }).waitFor();
  // After a second crash the container waits for its next start, which may come at any time.
  await world.cluster.control.crashContainer(crash);
  await row(page).getByText('waiting: CrashLoopBackOff', { exact: true }).waitFor();
  expect(await page.getByRole('status', { name: 'Connection' }).textContent()).toBe('connected');
  await page.getByRole('button', { name: 'Following', exact: true }).waitFor();
  await page.reload();
  await row(page).getByText('waiting: CrashLoopBackOff', { exact: true }).waitFor();
});

test('console 21: a pod that is deleted while the server is away is reported as gone, by its name', async () => {
  const { page } = await openConsole(world, [DB], { allows: [/Failed to load resource/, /ERR_/] });
  await rowWith(page, 'db line').waitFor();
  const before = world.cluster.store.get('pods', 'shop', 'db-0')?.metadata.uid;
  const gone = page.locator(`[data-facet="container"][data-value="${before}/postgres"]`);
  const count = () => gone.locator('.facet-count').textContent().then(numberIn);
  await eventually(count).toBeGreaterThan(0);
  const lines = await count();
  await world.server.stop();
  await page.locator('[data-connection="reconnecting"]').waitFor();
  await world.cluster.control.deletePod({ pod: 'db-0', gracePeriodSeconds: 0 });
  await eventually(() => world.cluster.store.get('pods', 'shop', 'db-0')?.metadata.uid).not.toBe(before);
  await world.server.start();
  await gone.getByText('gone', { exact: true }).waitFor();
  await eventually(() => marker(page, 'left').allTextContents()).toEqual([
    'db-0/postgres was deleted meanwhile; its last lines may be missing',
  ]);
  expect(await count()).toBe(lines);
});

test('console 21: the lines of a deleted pod stay, and its facet says that it is gone', async () => {
  const { page } = await openConsole(world, [DB]);
  await rowWith(page, 'db line').waitFor();
  const before = world.cluster.store.get('pods', 'shop', 'db-1')?.metadata.uid;
  await world.cluster.control.deletePod({ pod: 'db-1', gracePeriodSeconds: 0 });
  const row = page.locator('[data-facet="container"]', { hasText: 'gone' });
  await row.waitFor();
  expect(await row.getAttribute('data-value')).toBe(`${before}/postgres`);
  await marker(page, 'left').first().waitFor();
  await row.getByRole('button').first().click();
  await eventually(
    async () => (await shownTexts(page)).filter((text) => text.startsWith('db line')).length,
  ).toBe(20);
});
