import { expect, test } from 'vitest';
import { consolePath, openConsole, rowWith } from './console-page.ts';
import { eventually } from './eventually.ts';
import { listReady, rowOf } from './home-page.ts';
import { openWorld } from './world.ts';

const SCRIPT = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const world = openWorld({
  scenario: {
    startDelays: 'none',
    backfill: '1m',
    namespace: 'shop',
    namespaces: ['shop'],
    nodes: [{ name: 'a', zone: SCRIPT, region: '\'"><b>' }],
    users: [{ name: 'somebody' }],
    workloads: [
      {
        kind: 'Deployment',
        name: 'web',
        labels: { app: 'web' },
        annotations: { evil: SCRIPT },
        containers: [
          {
            name: 'app',
            lines: [
              SCRIPT,
              `{"msg":${JSON.stringify(SCRIPT)},"__proto__":{"polluted":true},"constructor":"x"}`,
              '\u001b]8;;javascript:document.title="owned"\u0007click\u001b]8;;\u0007',
              '\u001b]0;owned\u0007title',
              'javascript:alert(1)',
              'level=error last',
            ],
          },
        ],
      },
    ],
  },
});
const SOURCE = 'shop:deployments/web';
const EVIL = encodeURIComponent(SCRIPT);

test('script in log lines stays text, in rows, trees, columns and facets', async () => {
  const { page, problems } = await openConsole(world, [SOURCE], {
    query: 'col=timestamp&col=zone&col=json:msg',
  });
  await rowWith(page, 'level=error last').waitFor();
  const first = page.locator('.log-scroll [data-kind="line"] .message').first();
  expect(await first.textContent()).toBe(SCRIPT);
  await rowWith(page, '"msg"').locator('.message').click();
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Fields' }).waitFor();
  expect(
    await page.locator('.log-scroll img, .log-scroll script, .log-scroll a[href^="javascript"]').count(),
  ).toBe(0);
  expect(await page.locator('aside img, aside script').count()).toBe(0);
  expect(await page.evaluate(() => 'polluted' in {})).toBe(false);
  expect(await page.title()).not.toBe('owned');
  expect(problems).toEqual([]);
});

test('script in the address stays text: search, sources, context, namespace, columns, time zone', async () => {
  const addresses = [
    consolePath(
      [SOURCE],
      `q=${EVIL}&tz=${EVIL}&col=json:${EVIL}&field=${EVIL}=x&inc.zone=${EVIL}&line=${EVIL}`,
    ),
    consolePath([SCRIPT, SOURCE]),
    consolePath([SOURCE], `from=${EVIL}&to=${EVIL}&last=${EVIL}`),
    `/?ctx=admin&q=${EVIL}`,
    `/?ctx=admin&ns=${EVIL}`,
    `/?ctx=${EVIL}`,
    `/console?ctx=${EVIL}&src=${EVIL}`,
    `/${EVIL}`,
  ];
  for (const address of addresses) {
    const { page } = await world.visit(address, { allows: [/Failed to load resource/] });
    await page.getByRole('main').first().waitFor();
    await eventually(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    expect(await page.locator('img[src="x"], #app script').count(), address).toBe(0);
    expect(await page.title(), address).not.toBe('owned');
  }
});

test('a saved view with a foreign or script address never becomes a link', async () => {
  const { page } = await world.visit('/?ctx=admin', {
    prepare: (page) =>
      page.addInitScript(() => {
        const views = ['javascript:document.title="owned"', '//evil.example', 'https://evil.example/'].map(
          (href, index) => ({ name: `view ${index}`, href, atMs: 1 }),
        );
        localStorage.setItem('logtool.saved', JSON.stringify(views));
        localStorage.setItem('logtool.recent', JSON.stringify(views));
      }),
  });
  await listReady(page);
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByText('No views are saved').waitFor();
  expect(await page.locator('a[href*="evil"], a[href^="javascript"]').count()).toBe(0);
});

test('the page asks nobody but its own server, and its policy holds', async () => {
  const asked: string[] = [];
  const { page, problems } = await world.visit('/?ctx=admin', {
    prepare: async (page) => page.on('request', (request) => asked.push(new URL(request.url()).origin)),
  });
  await listReady(page);
  await rowOf(page, SOURCE).getByRole('link').click();
  await rowWith(page, 'level=error last').waitFor();
  expect(new Set(asked.filter((origin) => origin !== 'null'))).toEqual(new Set([world.server.origin]));
  expect(problems).toEqual([]);
  // That violations are seen at all: an inline script is refused, and noticed.
  const refused = await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener(
          'securitypolicyviolation',
          (event) => {
            event.stopImmediatePropagation();
            resolve(event.effectiveDirective);
          },
          { capture: true },
        );
        const style = document.createElement('style');
        style.textContent = 'b {}';
        console.error = () => undefined;
        document.head.append(style);
      }),
  );
  expect(refused).toMatch(/^style-src/);
  (problems as string[]).splice(0);
});
