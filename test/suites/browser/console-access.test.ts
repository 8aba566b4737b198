import { expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import {
  consolePath,
  copyEverything,
  heldLines,
  lastText,
  log,
  openConsole,
  retryNow,
  rowWith,
  settledRows,
} from './console-page.ts';
import { eventually } from './eventually.ts';
import { listReady } from './home-page.ts';
import { TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const READ = { resources: ['pods', 'pods/log', 'events', 'nodes'], verbs: ['get', 'list', 'watch'] };
const APPS = { apiGroups: ['apps'], resources: ['*'], verbs: ['get', 'list', 'watch'] };
const world = openWorld({
  scenario: {
    ...TALK,
    namespaces: ['shop', 'vault'],
    users: [
      {
        name: 'shop-only',
        namespace: 'shop',
        rules: [
          { ...READ, namespace: 'shop' },
          { ...APPS, namespace: 'shop' },
        ],
      },
    ],
    workloads: [
      ...TALK.workloads.slice(0, 1),
      {
        kind: 'Deployment',
        name: 'safe',
        namespace: 'vault',
        containers: [{ name: 'app', lines: ['secret'] }],
      },
    ],
  },
});
const GONE = [/Failed to load resource/, /ERR_/];

test('console 37: a disconnect says "Reconnecting in 3 s: Retry now"; nothing is lost or doubled', async () => {
  const { page } = await openConsole(world, [WEB], { allows: GONE });
  const held = await heldLines(page);
  const texts: string[] = [];
  const write = async (count: number) => {
    const more = Array.from({ length: count }, (_, index) => `cut ${texts.length + index + 1}`);
    texts.push(...more);
    await world.cluster.control.writeLines({ workload: 'deployments/web', text: more });
  };
  await write(10);
  await eventually(() => lastText(page)).toBe('cut 10');
  await world.server.stop();
  const connection = page.getByRole('status', { name: 'Connection' });
  await write(25);
  // Waits grow with the outage; the first retries come within a second.
  await eventually(() => connection.textContent()).toMatch(/^Reconnecting in [1-5] s: Retry now$/);
  await world.server.start();
  await retryNow(page);
  await eventually(() => connection.getAttribute('data-connection')).toBe('live');
  await eventually(() => lastText(page)).toBe('cut 35');
  await write(5);
  await eventually(() => lastText(page)).toBe('cut 40');
  await eventually(() => heldLines(page)).toBe(held + 40);
  const all = await copyEverything(page);
  expect(all.filter((line) => /cut \d+$/.test(line)).map((line) => line.replace(/^.*cut/, 'cut'))).toEqual(
    texts,
  );
});

test('console 38: a denial names verb, resource and namespace with a check to copy; other sources stream on', async () => {
  const { page } = await openConsole(world, [WEB, 'vault:deployments/safe'], { context: 'shop-only' });
  const problem = page.getByRole('region', { name: 'Problems' });
  await eventually(() => problem.textContent()).toMatch(/Missing: \w+ on [\w./]+ in namespace vault/);
  await problem.getByRole('button', { name: 'Copy kubectl command' }).first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^kubectl auth can-i \w+ .*vault/,
  );
  await world.cluster.control.writeLines({ workload: 'deployments/web', text: ['still here'] });
  await eventually(() => lastText(page)).toBe('still here');
});

test('console 38: explains unreadable sources in sentences, without the words of the command line', async () => {
  const { page } = await openConsole(world, [WEB, 'vault:deployments/safe'], { context: 'shop-only' });
  const what = page.locator('.problem-what');
  await eventually(() => what.first().textContent()).toMatch(/^You lack permission to /);
  const { page: other } = await world.visit(
    consolePath(['shop:deployments/wbe', 'shop:pods/none', 'Shop:web']),
  );
  await eventually(() => other.locator('.problem').count()).toBeGreaterThan(0);
  for (const path of [['shop:deployments/unlike'], ['shop:pods/none'], ['Shop:web']]) {
    const { page: one } = await world.visit(consolePath(path));
    await eventually(() => one.locator('.problem-what').first().textContent()).toMatch(/^["A-Z]/);
    for (const text of await one.locator('.problem-what, .problem-why').allTextContents())
      expect(text).not.toMatch(/^[a-z]+ (?!.*kubectl)|(^|\s)-n\b/);
  }
  // The mark is below the faulty character.
  const drawn = await other.locator('.problem-drawn').first().textContent();
  const [argument = '', mark = ''] = (drawn ?? '').split('\n');
  expect(argument.charAt(mark.indexOf('^'))).toBe('S');
});

test('counts, and what finds nothing, name an unreadable source', async () => {
  const { page } = await openConsole(world, [WEB, 'vault:deployments/safe'], {
    context: 'shop-only',
    query: 'last=1h',
  });
  await eventually(() => page.locator('.facet-scope').textContent()).toMatch(/ to now, without 1 source$/);
  await page.getByRole('searchbox', { name: 'Search in the logs' }).fill('secret');
  const hits = page.getByRole('status', { name: 'Search' });
  await eventually(() => hits.textContent()).toMatch(/^0 hits in .* to now, without 1 source$/);
  await log(page).focus();
  await page.keyboard.press('Shift+N');
  await eventually(() => page.getByRole('status', { name: 'Result' }).textContent()).toMatch(
    /^No hit found(?!.* so far).*; part of the log is unread/,
  );
  await page.getByRole('button', { name: 'Matching lines only' }).click();
  await page.getByText('No lines found so far').waitFor();
});

test('reports a server of another version, on the console and on the home page', async () => {
  const { page } = await openConsole(world, [WEB], { allows: GONE });
  const { page: home } = await world.visit('/?ctx=admin', { allows: GONE });
  await listReady(home);
  await world.server.stop();
  await world.server.start({ version: '9.9.9' });
  for (const each of [page, home]) {
    await each.bringToFront();
    await each.locator('.notices').getByText('The server now runs logtool 9.9.9.').waitFor();
  }
  await page.locator('.notices').getByRole('button', { name: 'Reload' }).click();
  await page.locator('.log-scroll [data-kind="line"]').first().waitFor();
  await eventually(() => page.locator('.notices').textContent()).toBe('');
  await world.server.stop();
  await world.server.start();
});

test('console 40: rows of a paused log hide what lies below them, at 375 px too', async () => {
  for (const theme of ['dark', 'light'] as const) {
    const { page } = await openConsole(world, [WEB], { width: 375, height: 812, theme });
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: /^Paused \d\d:\d\d:\d\d$/ }).waitFor();
    await world.cluster.control.writeLines({
      workload: 'deployments/web',
      text: 'level=error {n}',
      count: 300,
    });
    // All lines must have arrived before the bars are compared: the status bar counts lines as they arrive.
    await eventually(() => page.locator('.status-bar .waiting').allTextContents()).toEqual(['300 waiting']);
    // Everything drawn over the page or over other rows has an opaque background.
    const clear = await page.evaluate(() => {
      const selector = '.console > header .bar, .log-scroll [data-entry], .log-head, .status-bar, .strip';
      return [...document.querySelectorAll(selector)]
        .filter((element) => !/^rgb\(/.test(getComputedStyle(element).backgroundColor))
        .map((element) => element.className);
    });
    expect(clear).toEqual([]);
    const bars = () =>
      Promise.all(
        ['.search-bar', '.sources-bar', '.status-bar'].map(async (bar) =>
          (await page.locator(bar).screenshot()).toString('base64'),
        ),
      );
    const before = await bars();
    await log(page).hover();
    for (const px of [-300, -211, 150, -1_000, 700]) await page.mouse.wheel(0, px);
    await eventually(() => lastText(page)).not.toMatch(/300$/);
    await settledRows(page);
    expect(await bars()).toEqual(before);
    // Redrawn from scratch, the rows look the same as after scrolling.
    const scrolled = await log(page).screenshot();
    await page.evaluate(() => {
      const layer = document.querySelector<HTMLElement>('.log-layer');
      layer?.style.setProperty('display', 'none');
      layer?.getBoundingClientRect();
      layer?.style.removeProperty('display');
    });
    expect((await log(page).screenshot()).equals(scrolled), theme).toBe(true);
  }
});

test('console 39: the log has its role and name and is quiet; a status gives at most one summary in five seconds', async () => {
  const { page } = await openConsole(world, [WEB]);
  const role = page.getByRole('log', { name: 'Logs' });
  expect(await role.getAttribute('aria-live')).toBe('off');
  await page.evaluate(() => {
    const times: number[] = [];
    new MutationObserver(() => times.push(performance.now())).observe(
      document.querySelector('[data-summary]') as Element,
      { childList: true, characterData: true, subtree: true },
    );
    Object.assign(globalThis, { times });
  });
  const times = () => page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
  const burst = world.cluster.control.writeBurst({
    workload: 'deployments/web',
    text: 'sum {n}',
    count: 240,
    perSecond: 20,
  });
  await eventually(async () => (await times()).length, 60_000).toBeGreaterThanOrEqual(2);
  await burst;
  const at = await times();
  for (let index = 1; index < at.length; index++)
    expect((at[index] ?? 0) - (at[index - 1] ?? 0)).toBeGreaterThan(4_500);
  expect(await page.locator('[data-summary]').textContent()).toMatch(/^\d+ new lines, following$/);
});

test('console 40: at 375 px the sidebar is a drawer, and axe finds nothing in both themes', async () => {
  for (const theme of ['dark', 'light'] as const) {
    const { page } = await openConsole(world, [WEB], { width: 375, height: 812, theme });
    expect(await page.getByRole('complementary', { name: 'Filters' }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Filters' }).click();
    const drawer = page.getByRole('dialog', { name: 'Filters' });
    await drawer.locator('[data-facet="level"]').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
});

test('console 40: columns are those of the configuration, and can be changed in place', async () => {
  await world.server.stop();
  await world.server.start({ columns: ['timestamp', 'pod', 'zone'] });
  const { page } = await world.visit(consolePath([WEB]));
  await rowWith(page, 'web line').or(page.locator('[data-kind="line"]').first()).first().waitFor();
  await page.locator('.log-scroll .cell', { hasText: 'eu-west-1' }).first().waitFor();
  await page.getByRole('button', { name: 'Columns, wrapping and more' }).click();
  await page.getByRole('checkbox', { name: 'zone', exact: true }).uncheck();
  await eventually(() => page.locator('.log-scroll .cell', { hasText: 'eu-west-1' }).count()).toBe(0);
  await page.waitForURL(/col=timestamp&col=pod/);
  await log(page).focus();
});
