import { expect, test } from 'vitest';
import { followButton, lastText, log, openConsole, rowWith, shownRows, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { DB, LONG, TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });

test('a view of wrapped lines that is not followed opens with its newest line whole', async () => {
  const sentence = 'a line that is a good deal wider than the page ';
  const text = Array.from({ length: 60 }, (_, index) => `wide ${index} ${sentence.repeat((index % 7) + 1)}`);
  await world.cluster.control.writeLines({ workload: 'deployments/web', text });
  const { page } = await openConsole(world, [WEB], { query: 'wrap=1&follow=0' });
  await eventually(() => lastText(page)).toMatch(/^wide 59 /);
  expect(await followButton(page).getAttribute('aria-pressed')).toBe('false');
  const last = (await shownRows(page)).at(-1);
  const viewPx = await log(page).evaluate((pane) => pane.clientHeight);
  expect((last?.top ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(viewPx);
  expect(last?.height).toBeGreaterThan(30);
});

test('the console can be left in the middle of a jump', async () => {
  const { page } = await openConsole(world, [LONG], { query: 'from=2h' });
  await eventually(async () => (await shownTexts(page))[0]).toBe('old line 1');
  // Requests for lines are never answered, however slow the machine is.
  await page.route('**/logs', () => undefined);
  await log(page).focus();
  await page.keyboard.press('End');
  await page.getByText('loading lines…').waitFor();
  await page.getByRole('link', { name: 'logtool, home' }).click();
  await page.getByRole('link', { name: /^web/ }).first().waitFor();
});

test('the foot reports that the cluster is away though the page is connected, and when it is back', async () => {
  const { page } = await openConsole(world, [WEB]);
  const foot = page.getByRole('status', { name: 'Connection' });
  await eventually(() => foot.textContent()).toBe('connected');
  await world.cluster.control.killServer();
  await eventually(() => foot.textContent()).toBe('cluster not responding, retrying');
  await world.cluster.startServer();
  await eventually(() => foot.textContent()).toBe('connected');
  await eventually(() => page.locator('[data-problem]').count()).toBe(0);
});

test('the row of a restart stands between the last line of one run and the first of the next', async () => {
  const { page } = await openConsole(world, [DB], { height: 2_400 });
  await rowWith(page, 'db line').waitFor();
  for (const index of [0, 1]) {
    await world.cluster.control.writeLines({ workload: 'statefulsets/db', index, text: `last of ${index}` });
    await eventually(() => lastText(page)).toBe(`last of ${index}`);
    await world.cluster.control.crashContainer({ workload: 'statefulsets/db', index });
    await eventually(async () => {
      const rows = await shownRows(page);
      const after = rows.slice(rows.findIndex(({ text }) => text === `last of ${index}`) + 1);
      return [after[0]?.text, after.find(({ kind }) => kind === 'line')?.text];
    }).toEqual([
      expect.stringMatching(`^db-${index}/postgres exited 1 Error after .* · restarted .* later, 1st time$`),
      'db line 1',
    ]);
  }
});

test('reports unread lines as missing, in position and above, while older ones load', async () => {
  const { page } = await openConsole(world, [LONG, DB]);
  await eventually(async () => (await shownTexts(page)).length).toBeGreaterThan(10);
  world.cluster.inject({ kind: 'status', status: 403, text: 'not today', match: 'pods/db-.*/log' });
  try {
    await log(page).focus();
    await page.keyboard.press('Home');
    await page.locator('[data-marker="gap"]').filter({ hasText: 'lines are missing here' }).waitFor();
    await page.locator('[data-problem="forbidden"]').first().waitFor();
    await rowWith(page, 'old line 1').waitFor();
  } finally {
    world.cluster.clearFaults();
  }
});
