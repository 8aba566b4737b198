import { detectLevel } from '@logtool/logtool/src/domain/level.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { kubectl } from '../../support/oracles/kubectl.ts';
import { falseStatements, readStatements } from './page-statements.ts';

/** A line as read by kubectl. */
interface ReadLine {
  /** RFC 3339, to the nanosecond. */
  readonly at: string;
  readonly text: string;
  readonly level: string;
}

/** All lines of a namespace up to a time, ordered by time. */
export interface Truth {
  readonly fromMs: number;
  readonly toMs: number;
  readonly lines: readonly ReadLine[];
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly containers: readonly { readonly name: string }[] };
    readonly status: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
  }[];
}

/** Reads every line of a namespace's containers with the real kubectl, including previous runs. */
export async function readTruth(kubeconfig: string, namespace: string, toMs: number): Promise<Truth> {
  const ask = (...args: string[]) => kubectl(['-n', namespace, ...args], { kubeconfig });
  const pods = JSON.parse((await ask('get', 'pods', '-o', 'json')).stdout.toString()) as PodList;
  const reads = pods.items.flatMap(({ metadata, spec, status }) =>
    spec.containers.flatMap(({ name }, index) => {
      const args = ['logs', metadata.name, '-c', name, '--timestamps'];
      const hasEarlier = (status.containerStatuses?.[index]?.restartCount ?? 0) > 0;
      const asked = [ask(...args), ...(hasEarlier ? [ask(...args, '--previous')] : [])];
      return asked.map(async (answer) => ({ ...(await answer), from: `${metadata.name}/${name}` }));
    }),
  );
  const lines: ReadLine[] = [];
  const known = new Set<string>();
  for (const { stdout, exitCode, stderr, from } of await Promise.all(reads)) {
    // While a container waits for its restart, both requests return its last run.
    const output = stdout.toString();
    if (output !== '' && known.has(`${from} ${output}`)) continue;
    known.add(`${from} ${output}`);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    takeLines(output, toMs, lines);
  }
  lines.sort((a, b) => (comparable(a.at) < comparable(b.at) ? -1 : 1));
  const fromMs = Math.floor(Date.parse(lines[0]?.at ?? '') / 60_000) * 60_000;
  return { fromMs, toMs, lines };
}

/** Adds the lines before a time; the page counts a stack trace once, as its head. */
function takeLines(output: string, toMs: number, lines: ReadLine[]): void {
  for (const line of output.split('\n')) {
    const end = line.indexOf(' ');
    const at = line.slice(0, end);
    if (end === -1 || Date.parse(at) >= toMs) continue;
    const text = line.slice(end + 1);
    const head = lines.at(-1);
    if (CONTINUES.test(text) && head !== undefined)
      lines[lines.length - 1] = { ...head, text: `${head.text}\n${text}` };
    else lines.push({ at, text, level: detectLevel(Buffer.from(text)) ?? 'none' });
  }
}

/** A line of a stack trace after its first. */
const CONTINUES = /^(\s+at |\s+\.\.\. \d+ |Caused by: |[a-z][\w.]*\.[A-Z]\w*(Exception|Error)\b)/;

/** Pads times to nine digits, so that they compare as text. */
function comparable(at: string): string {
  const [seconds = '', fraction = ''] = at.replace('Z', '').split('.');
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}

const numberOf = (text: string | undefined) => Number(text?.replaceAll(',', ''));

/** Searches for a text, and compares the page's hits with what kubectl read. */
export async function checkHits(page: Page, truth: Truth, text: string): Promise<void> {
  const exact = truth.lines.filter((line) => line.text.includes(text)).length;
  const hits = page.getByRole('status', { name: 'Search', exact: true });
  await page.getByRole('searchbox', { name: 'Search in the logs' }).fill(`"${text}"`);
  await hits.filter({ hasText: /^[\d,]+ hits? in / }).waitFor();
  const rest = page.getByRole('button', { name: 'Search the rest' });
  const whole = hits.filter({ hasText: /^[\d,]+ hits? in (\S+ )?\S+ to (\S+ )?\S+$/ });
  await whole.or(rest).first().waitFor();
  if (await rest.isVisible()) await rest.click();
  await whole.waitFor();
  const [, count] = /^([\d,]+) hits? in /.exec((await hits.textContent()) ?? '') ?? [];
  expect(numberOf(count), `hits of ${text}`).toBe(exact);
}

/** Compares the page's statements about the range with what kubectl read. */
export async function checkStatements(page: Page, truth: Truth): Promise<void> {
  await page.locator('[role="slider"]:not([aria-valuetext="Reading…"])').waitFor();
  const stated = await page.evaluate(() => ({
    scope: document.querySelector('.facet-scope')?.textContent ?? '',
    levels: Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('[data-facet="level"]')].map((row) => [
        row.dataset.value ?? '',
        row.querySelector('.facet-count')?.firstChild?.textContent ?? '',
      ]),
    ),
    chart: document.querySelector('[role="slider"]')?.getAttribute('aria-valuetext') ?? '',
  }));
  const statements = await readStatements(page);
  expect(falseStatements(statements, truth), JSON.stringify(statements)).toEqual([]);
  for (const [level, count] of Object.entries(stated.levels)) {
    const exact = truth.lines.filter((line) => line.level === level).length;
    expect(numberOf(count), `level ${level} ${stated.scope}, at most`).toBeLessThanOrEqual(exact);
  }
  // On a slow machine, the containers may not yet be read up to a common time.
  if (/^Counts in (the part that logtool read of|the [\d,]+ loaded lines?)/.test(stated.scope)) return;
  const scope = /^Counts in (\S+) to (\S+?)( of .*)?$/.exec(stated.scope.replaceAll(/\d{4}-\d\d-\d\d /g, ''));
  expect(scope, stated.scope).not.toBeNull();
  // The page shows the end of a partly read range to the second; only a whole range has exact ends.
  if (scope?.[3] !== undefined) return;
  for (const [level, count] of Object.entries(stated.levels)) {
    const exact = truth.lines.filter((line) => line.level === level).length;
    expect(numberOf(count), `level ${level} ${stated.scope}`).toBe(exact);
  }
  const [, lines, errors] = /: ([\d,]+) lines?, ([\d,]+) errors?/.exec(stated.chart) ?? [];
  if (stated.chart.includes('not all read')) return;
  expect(numberOf(lines), stated.chart).toBe(truth.lines.length);
  expect(numberOf(errors), stated.chart).toBe(
    truth.lines.filter(({ level }) => level === 'error' || level === 'fatal').length,
  );
}
