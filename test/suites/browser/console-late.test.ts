import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { heldLines, log, openConsole, rowWith, settledRows } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

/* A container that does not answer does not hold the history of the others. */

const one = (name: string, lines: readonly unknown[]) => ({
  kind: 'Deployment',
  name,
  replicas: 1,
  containers: [{ name: 'app', lines }],
});
const world = openWorld({
  scenario: {
    seed: 1,
    clusterName: 'late',
    namespace: 'shop',
    startDelays: 'none',
    backfill: '5m',
    namespaces: ['shop'],
    nodes: [{ name: 'node-a' }],
    workloads: [
      one('web', [
        'ERROR web begins',
        ...Array.from({ length: 60 }, (_, index) => [
          { text: `web part ${index} line {n}`, repeat: 50 },
          `ERROR web after part ${index}`,
        ]).flat(),
      ]),
      one('slow', ['slow begins', { text: 'slow line {n}', repeat: 300 }]),
    ],
  },
});
const SOURCES = ['shop:deployments/web', 'shop:deployments/slow'];
const WEB_LINES = 1 + 60 * 51;
/** Longer than any test, so that a test that waits for it fails. */
const NEVER_MS = 3_600_000;
const hang = (delayMs: number) =>
  world.cluster.inject({ kind: 'delay', match: 'pods/slow-[^/]*/log', delayMs });
const late = (page: Page) => page.getByRole('status', { name: 'Containers that have not answered' });

test('Home, scrolling and the next error continue without a container that hangs, and name it', async () => {
  hang(NEVER_MS);
  try {
    const { page } = await openConsole(world, SOURCES);
    await late(page).waitFor();
    await log(page).focus();
    await page.keyboard.press('Home');
    await rowWith(page, 'web begins').waitFor();
    await eventually(() => heldLines(page)).toBeGreaterThanOrEqual(2_000);
    expect(await page.getByText('Beginning of logs').count()).toBe(0);
    expect(await late(page).textContent()).toContain('1 container on node node-a has not answered');
    const active = page.locator('.log-scroll .cur');
    for (const index of [0, 1]) {
      await page.keyboard.press('e');
      await eventually(() => active.textContent()).toContain(`ERROR web after part ${index}`);
    }
    expect(await page.getByRole('status', { name: 'Result' }).textContent()).toMatch(/slow-.*\/app/);
  } finally {
    world.cluster.clearFaults();
  }
});

test('a filtered list fills itself without a container that hangs', async () => {
  hang(NEVER_MS);
  try {
    const { page } = await openConsole(world, SOURCES, { query: 'inc.level=error' });
    await late(page).waitFor();
    await rowWith(page, 'ERROR web after part 59').waitFor();
    await eventually(() => heldLines(page)).toBe(WEB_LINES);
    await log(page).focus();
    await page.keyboard.press('Home');
    await rowWith(page, 'ERROR web begins').waitFor();
  } finally {
    world.cluster.clearFaults();
  }
});

test('lines of a container that answers late are inserted at their place, and the row that is read stays', async () => {
  hang(20_000);
  try {
    const { page } = await openConsole(world, SOURCES);
    await late(page).waitFor();
    await log(page).focus();
    await page.keyboard.press('Home');
    await rowWith(page, 'web begins').waitFor();
    expect(await rowWith(page, 'slow begins').count()).toBe(0);
    world.cluster.clearFaults();
    const [before] = await settledRows(page);
    await late(page).waitFor({ state: 'detached' });
    await rowWith(page, 'slow line').first().waitFor();
    expect((await settledRows(page)).find(({ entry }) => entry === before?.entry)).toEqual(before);
    await page.keyboard.press('Home');
    await rowWith(page, 'slow begins').waitFor();
    await page.getByText('Beginning of logs').waitFor();
  } finally {
    world.cluster.clearFaults();
  }
});
