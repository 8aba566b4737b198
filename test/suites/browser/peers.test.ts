import { expect, test } from 'vitest';
import {
  consolePath,
  heldLines,
  lastLine,
  lastText,
  log,
  openConsole,
  shownRows,
  shownTexts,
} from './console-page.ts';
import { eventually } from './eventually.ts';
import { shopOf } from './shop-of.ts';
import { openWorld } from './world.ts';

const world = openWorld({
  scenario: shopOf([
    { kind: 'Deployment', name: 'quiet', containers: [{ name: 'app' }] },
    { kind: 'Deployment', name: 'badimage', containers: [{ name: 'app', state: 'bad-image' }] },
    { kind: 'Deployment', name: 'creating', containers: [{ name: 'app', state: 'creating' }] },
    {
      kind: 'Pod',
      name: 'unended',
      restartPolicy: 'Never',
      containers: [
        {
          name: 'app',
          lines: ['first', { text: 'no newline', newline: false }],
          exit: { after: '1s', code: 0 },
        },
      ],
    },
    {
      kind: 'Deployment',
      name: 'twelve',
      replicas: 12,
      containers: [{ name: 'app', lines: [{ text: 'line {n}', repeat: 40 }] }],
    },
  ]),
});
const of = (name: string) => `shop:deployments/${name}`;

test('a pod whose log is empty at opening shows its lines when they come', async () => {
  const { page } = await world.visit(consolePath([of('quiet')]));
  await page.getByText('No lines yet').waitFor();
  await world.cluster.control.writeLines({ workload: 'deployments/quiet', text: ['hello at last'] });
  await eventually(() => lastText(page)).toBe('hello at last');
});

test('a bad image, a creating pod and one that does not exist say so, instead of a blank page', async () => {
  for (const [name, texts] of [
    ['badimage', /ImagePullBackOff|ErrImagePull/],
    ['creating', /ContainerCreating/],
  ] as const) {
    const { page } = await world.visit(consolePath([of(name)]));
    await eventually(() => page.locator('.console-log').textContent()).toMatch(texts);
  }
  const { page } = await world.visit(consolePath(['shop:pods/nobody']));
  await eventually(() => page.locator('.console-log').textContent()).toMatch(/nobody/);
});

test('shows the last line without a newline', async () => {
  const { page } = await openConsole(world, ['shop:pods/unended']);
  await eventually(async () =>
    (await shownTexts(page)).filter((text) => /^(first|no newline)$/.test(text)),
  ).toEqual(['first', 'no newline']);
});

test('after a cut, the restart of a kubelet and of the server, following continues and the page says so', async () => {
  const { page } = await openConsole(world, [of('twelve')], { allows: [/Failed to load resource/, /ERR_/] });
  await eventually(() => heldLines(page)).toBe(480);
  const connection = page.getByRole('status', { name: 'Connection' });
  let number = 0;
  const goesOn = async () => {
    number += 1;
    const before = await heldLines(page);
    await world.cluster.control.writeLines({ workload: 'deployments/twelve', text: [`on ${number}`] });
    await eventually(() => heldLines(page)).toBe(before + 12);
    await eventually(() => lastLine(page)).toBe(`on ${number}`);
  };
  await world.cluster.control.cutLogs({ how: 'reset' });
  await goesOn();
  await world.cluster.control.cutLogs({ how: 'end' });
  await goesOn();
  await world.server.stop();
  await eventually(() => connection.textContent()).toMatch(/Reconnecting/);
  await world.server.start();
  await eventually(() => connection.getAttribute('data-connection')).toBe('live');
  await goesOn();
  expect(await heldLines(page)).toBe(480 + 36);
  await page.locator('[data-marker="reconnected"]').first().waitFor();
});

test('the colors of containers do not repeat before the hues run out', async () => {
  const { page } = await openConsole(world, [of('twelve')]);
  await eventually(() => page.locator('[data-facet="container"]').count()).toBe(12);
  const colors = await page
    .locator('[data-facet="container"] .hue')
    .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).backgroundColor));
  expect(new Set(colors).size).toBe(12);
});

test('focus never falls to the page while scrolling, and the log is one tab stop', async () => {
  const { page } = await openConsole(world, [of('twelve')]);
  await log(page).focus();
  const isBody = () => page.evaluate(() => document.activeElement === document.body);
  await page.locator(`[data-entry="${(await shownRows(page)).at(-2)?.entry}"]`).click();
  for (const key of [
    'Home',
    'PageDown',
    'PageDown',
    'End',
    'PageUp',
    'ArrowUp',
    'ArrowDown',
    'Home',
    'End',
  ]) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    expect(await isBody(), key).toBe(false);
  }
  await log(page).hover();
  for (let times = 0; times < 20; times++) {
    await page.mouse.wheel(0, times % 2 === 0 ? -2_000 : 1_500);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    expect(await isBody()).toBe(false);
  }
  const stops = await page.locator('.log-scroll').evaluate((pane) => {
    const focusable = pane.querySelectorAll('a[href], button, input, select, [tabindex]');
    return 1 + [...focusable].filter((element) => (element as HTMLElement).tabIndex >= 0).length;
  });
  expect(stops).toBe(1);
});
