import { expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { consolePath, openConsole, rowWith } from './console-page.ts';
import { eventually } from './eventually.ts';
import { listReady, rowOf } from './home-page.ts';
import { openWorld } from './world.ts';

const SCRIPT = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const ESC = '\u001b';
const ODD = [
  'progress 10%\rprogress 100%',
  `${ESC}(B${ESC}[mreset`,
  `${`${ESC}[31m${ESC}[0m`.repeat(8_000)}behind colors`,
  { base64: Buffer.from([...Buffer.from('bytes '), 0xff, 0xfe, ...Buffer.from(' end')]).toString('base64') },
  'nul\u0000 bell\u0007 del\u007f csi\u009b31m \u202ertl\u202c \u2066lri\u2069 \u200bspace \ufeffbom so\u00adft',
  JSON.stringify({ msg: `has ${ESC}[31mred${ESC}[0m inside`, rlo: 'a\u202egnp.exe', 'k\u202eey': 1 }),
  JSON.stringify({ last: 'one', a: 1, b: 2, c: 3, d: 4, e: 5 }),
  'the end',
];
const CODES = [
  '30;41',
  '37;43',
  '7',
  '7;31',
  '41',
  '7;41',
  '8',
  '38;2;16;19;18',
  '38;2;251;250;247',
  '38;5;226',
];
const GAUDY = [
  ...CODES.map((code) => `${ESC}[${code}m colors of ${code.replaceAll(';', ' ')} ${ESC}[0m`),
  ...['48;2;255;255;0', '48;5;21;38;5;17', '31;48;2;250;100;100', '7;38;5;226', '2;38;5;16', '90;43'].map(
    (code) => `${ESC}[${code}m backgrounds of ${code.replaceAll(';', ' ')} ${ESC}[0m`,
  ),
  `level=error ${ESC}[38;2;60;20;20mdark${ESC}[0m ${ESC}[31mred${ESC}[0m`,
  'the end',
];
const world = openWorld({
  scenario: {
    startDelays: 'none',
    backfill: '1m',
    namespace: 'shop',
    namespaces: ['shop'],
    nodes: [{ name: 'a', zone: SCRIPT, region: '\'"><b>' }],
    users: [{ name: 'somebody' }],
    workloads: [
      { kind: 'Deployment', name: 'odd', containers: [{ name: 'app', lines: ODD }] },
      { kind: 'Deployment', name: 'gaudy', containers: [{ name: 'app', lines: GAUDY }] },
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
  await rowWith(page, 'constructor=').locator('.message').click();
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

/** Characters that must never reach the page: they affect the text around them, or are invisible. */
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

test('shows control characters and marks of direction as escapes, in rows, trees, columns, facets and chips', async () => {
  const { page } = await openConsole(world, ['shop:deployments/odd']);
  await rowWith(page, 'the end').waitFor();
  const message = (text: string) => rowWith(page, text).locator('.message');
  expect(await message('progress').textContent()).toBe('progress 10%\\rprogress 100%');
  expect(await message('reset').textContent()).toBe('reset');
  expect(await message('behind colors').textContent()).toBe('behind colors');
  expect(await message('bytes').textContent()).toBe('bytes \ufffd\ufffd end');
  await message('rlo=').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Enter');
  const tree = page.getByRole('list', { name: 'Fields' });
  await tree.waitFor();
  const value = (path: string) =>
    tree.locator('.tree-line', { hasText: path }).first().locator('.tree-value');
  expect(await value('rlo').textContent()).toBe('a\\u202egnp.exe');
  expect(await value('msg').textContent()).toBe('has red inside');
  const red = value('msg').getByText('red', { exact: true });
  expect(await red.evaluate((element) => getComputedStyle(element).color)).not.toBe(
    await value('msg').evaluate((element) => getComputedStyle(element).color),
  );
  await tree.locator('.tree-line', { hasText: 'rlo' }).hover();
  await page.getByRole('button', { name: 'show as column: rlo' }).click();
  await page.getByRole('button', { name: 'include: rlo' }).click();
  await eventually(() => page.locator('[data-chip]').textContent()).toContain('a\\u202egnp.exe');
  await page.locator('.log-scroll .cell', { hasText: 'a\\u202egnp.exe' }).waitFor();
  await page.locator('[data-facet="field"]', { hasText: 'k\\u202eey' }).waitFor();
  const seen = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const all: string[] = [];
    while (texts.nextNode()) all.push(texts.currentNode.nodeValue ?? '');
    return all;
  });
  expect(seen.filter((text) => UNSEEN.test(text))).toEqual([]);
});

test('whatever colors a line asks for, it is readable, and axe finds nothing', async () => {
  for (const theme of ['dark', 'light'] as const) {
    const { page } = await openConsole(world, ['shop:deployments/gaudy'], { theme });
    await rowWith(page, 'the end').waitFor();
    expect(await violationsOf(page), theme).toEqual([]);
  }
});

test('a tree that opens at the lower edge is brought into view', async () => {
  const { page } = await openConsole(world, ['shop:deployments/odd'], { height: 420 });
  await rowWith(page, 'the end').waitFor();
  await rowWith(page, 'last=one')
    .locator('.message')
    .click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Enter');
  const box = page.getByRole('list', { name: 'Fields' });
  await box.waitFor();
  const pane = await page.locator('.log-scroll').boundingBox();
  await eventually(async () => {
    const { y = 0, height = 0 } = (await box.boundingBox()) ?? {};
    return y + height <= (pane?.y ?? 0) + (pane?.height ?? 0);
  }).toBe(true);
  expect(await rowWith(page, 'last=one').isVisible()).toBe(true);
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
  await page.getByText('No saved views').waitFor();
  expect(await page.locator('a[href*="evil"], a[href^="javascript"]').count()).toBe(0);
});

test('the page contacts only its own server, and its policy holds', async () => {
  const asked: string[] = [];
  const { page, problems } = await world.visit('/?ctx=admin', {
    prepare: async (page) => page.on('request', (request) => asked.push(new URL(request.url()).origin)),
  });
  await listReady(page);
  await rowOf(page, SOURCE).getByRole('link').click();
  await rowWith(page, 'level=error last').waitFor();
  expect(new Set(asked.filter((origin) => origin !== 'null'))).toEqual(new Set([world.server.origin]));
  expect(problems).toEqual([]);
  // Proves that the test detects violations: the policy blocks an inline script, and the test sees it.
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
