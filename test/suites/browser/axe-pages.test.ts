import { expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { consolePath, openConsole, rowWith } from './console-page.ts';
import { listReady, rowOf } from './home-page.ts';
import { SHOP } from './shop-scenario.ts';
import { openWorld } from './world.ts';

const JSON_LINE = '{"level":"error","msg":"broken","order":{"id":"A-17"}}';
const world = openWorld({
  scenario: {
    ...SHOP,
    workloads: [
      ...SHOP.workloads,
      {
        kind: 'Deployment',
        name: 'talk',
        containers: [
          {
            name: 'app',
            lines: [
              { text: 'level=info line {n} a=1 b=2', repeat: 60 },
              'level=error one',
              'level=warn two',
              'level=debug three',
              '\u001b[31mred \u001b[33myellow \u001b[34mblue \u001b[90mgrey\u001b[0m',
              JSON_LINE,
            ],
          },
        ],
      },
    ],
  },
});
const TALK = 'shop:deployments/talk';

for (const theme of ['dark', 'light'] as const) {
  test(`axe finds nothing on the home page and what opens from it, ${theme}`, async () => {
    for (const width of [1440, 375]) {
      const { page } = await world.visit('/?ctx=shop-only', { theme, width, height: 812 });
      await rowOf(page, TALK).waitFor();
      await page.locator('[data-denied]').first().waitFor();
      expect(await violationsOf(page), `list ${width}`).toEqual([]);
      await rowOf(page, TALK).getByRole('checkbox').click();
      await page.getByRole('region', { name: 'Selection' }).waitFor();
      expect(await violationsOf(page), `selection ${width}`).toEqual([]);
      await page
        .getByRole('button', { name: /namespaces/i })
        .first()
        .click();
      await page.getByRole('dialog', { name: 'Namespaces' }).waitFor();
      expect(await violationsOf(page), `namespaces ${width}`).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Go to/ }).fill('web');
      expect(await violationsOf(page), `palette ${width}`).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('combobox').waitFor({ state: 'detached' });
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      expect(await violationsOf(page), `keys ${width}`).toEqual([]);
    }
  });

  test(`axe finds nothing on the console and what opens from it, ${theme}`, async () => {
    const { page } = await openConsole(world, [TALK], { theme, width: 1440, height: 900, query: 'q=line' });
    await rowWith(page, 'broken').locator('.message').click();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Fields' }).waitFor();
    expect(await violationsOf(page), 'tree and search').toEqual([]);
    for (const name of ['Columns, wrapping and more', 'Download lines', 'Add a source']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').first().waitFor();
      expect(await violationsOf(page), name).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('textbox', { name: 'Range', exact: true }).fill('never');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page), 'range').toEqual([]);
  });

  test(`axe finds nothing where nothing can be shown, ${theme}`, async () => {
    for (const path of [
      consolePath(['shop:deployments/broken']),
      consolePath(['data:statefulsets/kafka'], '', 'shop-only'),
      consolePath([TALK], 'from=2020-01-01T00:00:00Z&to=2020-01-01T01:00:00Z'),
      '/?ctx=admin&q=nothing-has-that-name',
      '/?ctx=no-such-context',
      '/no-such-page',
    ]) {
      const { page } = await world.visit(path, { theme, allows: [/Failed to load resource/] });
      await page.getByRole('main').first().waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      expect(await violationsOf(page), path).toEqual([]);
    }
    const { page } = await world.visit('/?ctx=admin', { theme });
    await listReady(page);
  });
}
