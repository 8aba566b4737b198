import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consolePath, openConsole, rowWith } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

/* Logs that are larger than what the page counts by itself, and lists whose rows are not among the newest lines. */

const KIB = 1_024;
const world = openWorld({
  scenario: {
    seed: 1,
    clusterName: 'budget',
    namespace: 'shop',
    startDelays: 'none',
    backfill: '60m',
    logMaxBytes: 256 * KIB * KIB,
    namespaces: ['shop'],
    nodes: [{ name: 'node-a' }],
    workloads: [
      {
        kind: 'Deployment',
        name: 'big',
        replicas: 1,
        containers: [
          {
            name: 'app',
            logs: [
              { format: 'json', perSecond: 3, bytes: { min: 8_000, max: 8_200 }, levels: { info: 1 } },
              { format: 'json', perSecond: 0.01, levels: { error: 1 } },
            ],
          },
        ],
      },
      {
        kind: 'Deployment',
        name: 'ledger',
        replicas: 1,
        containers: [
          {
            name: 'app',
            lines: [
              { text: 'INFO early {n}', repeat: 500 },
              'WARN the only one',
              { text: 'INFO late {n}', repeat: 5_000 },
            ],
          },
        ],
      },
    ],
  },
});
const rows = (page: Page) => page.locator('.log-scroll [data-kind="line"][data-level="error"]');
const rest = (page: Page) => page.getByRole('button', { name: 'Count the rest' });

test('a log beyond the budget shows what was counted of it, and the list fills without a click', async () => {
  const { page } = await world.visit(consolePath(['shop:deployments/big'], 'inc.level=error'));
  await rest(page).waitFor();
  await eventually(() => page.locator('.facet-scope').first().textContent()).toMatch(
    /^Counts in the beginning to (\S+ )?\d\d:\d\d:\d\d of all logs/,
  );
  await rows(page).first().waitFor();
  await rest(page).click();
  await rest(page).waitFor({ state: 'detached' });
  await eventually(() => page.locator('.facet-scope').first().textContent()).toBe('Counts in all logs');
  await eventually(() => rows(page).count()).toBeGreaterThan(15);
});

test('a filtered list whose only row is far back shows it without a click', async () => {
  const { page } = await world.visit(consolePath(['shop:deployments/ledger'], 'last=2h&inc.level=warn'));
  await rowWith(page, 'WARN the only one').waitFor();
  expect(await page.getByRole('button', { name: 'Show the newest of them' }).count()).toBe(0);
});

test('a search that shows only its hits fills from far back too', async () => {
  const { page } = await openConsole(world, ['shop:deployments/ledger'], { query: 'q=only%20one&only=1' });
  await rowWith(page, 'WARN the only one').waitFor();
});
