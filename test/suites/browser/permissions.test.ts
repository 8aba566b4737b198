import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consolePath, heldLines, lastText, openConsole, rowWith } from './console-page.ts';
import { eventually } from './eventually.ts';
import { rowOf, rowSources } from './home-page.ts';
import { openWorld } from './world.ts';

const scenario = fileURLToPath(new URL('../../../scenarios/permissions.yaml', import.meta.url));
const world = openWorld({ scenario });
const WEB = 'shop:deployments/web';
const DB = 'shop:statefulsets/db';
const home = (user: string) => world.visit(`/?ctx=${user}`);
const main = (page: Page) => page.getByRole('main').textContent();

/** Checks that new lines of a pod reach the page. */
async function streams(page: Page, pod: string): Promise<void> {
  const text = `for ${pod} at ${performance.now()}`;
  await world.cluster.control.writeLines({ pod, text: [text] });
  await eventually(() => lastText(page)).toBe(text);
}

test('full rights: shows everything and reports nothing missing', async () => {
  const { page } = await home('full');
  await eventually(() => rowSources(page)).toEqual([DB, 'other:pods/elsewhere', WEB]);
  expect(await page.locator('[data-denied]').count()).toBe(0);
  const { page: console } = await openConsole(world, [WEB, DB], { context: 'full' });
  await eventually(() => heldLines(console)).toBe(80);
  expect(await console.getByRole('region', { name: 'Problems' }).count()).toBe(0);
  await streams(console, 'db-0');
});

test('one namespace only: shows its workloads, and names the others as missing', async () => {
  const { page } = await home('ns-reader');
  await eventually(() => rowSources(page)).toEqual([DB, WEB]);
  await eventually(() => page.locator('.notice').allTextContents()).not.toEqual([]);
  expect((await page.locator('.notice').allTextContents()).join(' ')).toMatch(/list (namespaces|pods)/);
  const { page: console } = await openConsole(world, [WEB, DB], { context: 'ns-reader' });
  await eventually(() => heldLines(console)).toBeGreaterThanOrEqual(80);
  await streams(console, 'db-0');
});

test('no watch: the lists are asked for again and again, logs stream', async () => {
  const { page } = await home('no-watch');
  await rowOf(page, DB).waitFor();
  await eventually(() => page.locator('[data-feed]').getAttribute('data-feed')).toBe('polling');
  const { page: console } = await openConsole(world, [DB], { context: 'no-watch' });
  await eventually(() => heldLines(console)).toBeGreaterThanOrEqual(40);
  await streams(console, 'db-0');
});

test('with permission for named pods only: the page reports that it can list nothing, and reads the pod itself', async () => {
  const { page } = await home('named-only');
  await eventually(() => main(page)).toMatch(/you lack permission to list pods/i);
  const { page: console } = await openConsole(world, ['shop:pods/db-0'], { context: 'named-only' });
  await rowWith(console, 'db line').waitFor();
  await streams(console, 'db-0');
  const { page: other } = await world.visit(consolePath(['shop:pods/db-1'], '', 'named-only'));
  await eventually(() => main(other)).toMatch(/Missing: get on pods.* in namespace shop/);
});

test('nothing: the page names what is missing and stays whole', async () => {
  const { page } = await home('nobody');
  await page.getByRole('heading', { name: 'You lack permission to read anything here' }).waitFor();
  expect(await main(page)).toMatch(/list pods/);
  // What nobody counted is no zero.
  await eventually(() => page.locator('.side .count .bone').count()).toBe(0);
  expect(new Set(await page.locator('.side .count').allTextContents())).toEqual(new Set(['']));
  expect(await page.locator('.status-bar').textContent()).not.toMatch(/workload|since/);
  const { page: console } = await world.visit(consolePath([WEB], '', 'nobody'));
  await eventually(() => main(console)).toMatch(/Missing: \w+ on [\w./]+ in namespace shop/);
});

test('reports credentials that are no longer accepted', async () => {
  for (const user of ['bad-token', 'expired-cert']) {
    const { page } = await world.visit(`/?ctx=${user}`, { allows: [/Failed to load resource/] });
    const alert = page.getByRole('alert');
    await alert.getByRole('button', { name: 'Retry' }).waitFor();
    expect(await alert.textContent()).toMatch(
      /expired|not accepted|unauthori[sz]ed|credentials|401|certificate/i,
    );
  }
});
