import { detectLevel } from '@logtool/logtool/src/domain/level.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { kubectl } from '../../support/oracles/kubectl.ts';
import { falseStatements, readStatements } from './page-statements.ts';

/** A line as read by kubectl. */
interface ReadLine {
  /** Pod and container: `web-0/app`. */
  readonly from: string;
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
    takeLines(output, { toMs, from }, lines);
  }
  lines.sort((a, b) => (comparable(a.at) < comparable(b.at) ? -1 : 1));
  const fromMs = Math.floor(Date.parse(lines[0]?.at ?? '') / 60_000) * 60_000;
  return { fromMs, toMs, lines };
}

/** Adds the lines before a time; the page counts a stack trace once, as its head. */
function takeLines(
  output: string,
  { toMs, from }: { readonly toMs: number; readonly from: string },
  lines: ReadLine[],
): void {
  for (const line of output.split('\n')) {
    const end = line.indexOf(' ');
    const at = line.slice(0, end);
    if (end === -1 || Date.parse(at) >= toMs) continue;
    const text = line.slice(end + 1);
    const head = lines.at(-1);
    if (CONTINUES.test(text) && head !== undefined)
      lines[lines.length - 1] = { ...head, text: `${head.text}\n${text}` };
    else lines.push({ from, at, text, level: detectLevel(Buffer.from(text)) ?? 'none' });
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

/** What the page states of the range beside the search. */
interface Stated {
  readonly scope: string;
  /** Counts by the value of the facet. */
  readonly levels: Readonly<Record<string, string>>;
  readonly containers: Readonly<Record<string, string>>;
  readonly chart: string;
  /** What precedes the first line, and that line, if they are in view. */
  readonly beginning: string;
  readonly firstLine: string | undefined;
  readonly result: string;
}

/** Compares the page's statements about the range with what kubectl read. */
export async function checkStatements(page: Page, truth: Truth): Promise<void> {
  await page.locator('[role="slider"]:not([aria-valuetext="Reading…"])').waitFor();
  const statements = await readStatements(page);
  expect(falseStatements(statements, truth), JSON.stringify(statements)).toEqual([]);
  const stated = await readStated(page);
  checkChart(stated, truth);
  checkBeginning(stated, truth);
  checkResult(stated, truth);
  // The page shows the end of a partly read range to the second; only a whole range has exact ends.
  const isWhole = /^Counts in \S+ to \S+$/.test(stated.scope.replaceAll(/\d{4}-\d\d-\d\d /g, ''));
  const counts = [
    ...Object.entries(stated.levels).map(([level, count]) => ({
      what: `level ${level}`,
      count,
      exact: truth.lines.filter((line) => line.level === level).length,
    })),
    ...Object.entries(stated.containers).map(([container, count]) => ({
      what: `container ${container}`,
      count,
      exact: truth.lines.filter(({ from }) => container.endsWith(`/${from}`)).length,
    })),
  ];
  for (const { what, count, exact } of counts) {
    const about = `${what} ${stated.scope}`;
    // `50+`: at least so many.
    const number = numberOf(count.replace(/\+$/, ''));
    if (isWhole) expect(count, about).toBe(exact.toLocaleString('en'));
    else expect(number, `${about}, at most`).toBeLessThanOrEqual(exact);
  }
}

async function readStated(page: Page): Promise<Stated> {
  return page.evaluate(() => {
    const countsOf = (facet: string, nameOf: (row: HTMLElement) => string | undefined) =>
      Object.fromEntries(
        [...document.querySelectorAll<HTMLElement>(`[data-facet="${facet}"]`)].map((row) => [
          nameOf(row) ?? '',
          row.querySelector('.facet-count')?.firstChild?.textContent ?? '',
        ]),
      );
    const pane = document.querySelector('.log-scroll');
    const isSeen = (element: Element) => {
      const [own, view] = [element.getBoundingClientRect(), pane?.getBoundingClientRect()];
      return view !== undefined && own.bottom > view.top && own.top < view.bottom;
    };
    const begin = [...document.querySelectorAll('.log-scroll p, .log-scroll div, .log-scroll span')].find(
      (element) => element.childElementCount === 0 && /^(Beginning|Oldest) /.test(element.textContent ?? ''),
    );
    return {
      scope: document.querySelector('.facet-scope')?.textContent ?? '',
      levels: countsOf('level', (row) => row.dataset.value),
      containers: countsOf('container', (row) => row.querySelector<HTMLElement>('.facet-value')?.title),
      chart: document.querySelector('[role="slider"]')?.getAttribute('aria-valuetext') ?? '',
      beginning: begin !== undefined && isSeen(begin) ? (begin.textContent ?? '') : '',
      firstLine: document.querySelector('.log-scroll [data-kind="line"]')?.textContent ?? undefined,
      result: document.querySelector('[role="status"][aria-label="Result"]')?.textContent ?? '',
    };
  });
}

const isError = ({ level }: ReadLine) => level === 'error' || level === 'fatal';

function checkChart({ chart }: Stated, { lines }: Truth): void {
  const [, all, errors, warnings] =
    /: (?:not all read; at least )?([\d,]+) lines?, ([\d,]+) errors?, ([\d,]+) warnings?/.exec(chart) ?? [];
  const exact = [
    lines.length,
    lines.filter(isError).length,
    lines.filter(({ level }) => level === 'warn').length,
  ];
  const counts = [all, errors, warnings].map(numberOf);
  if (!chart.includes('not all read')) expect(counts, chart).toEqual(exact);
  else
    for (const [index, count] of counts.entries())
      expect(count, chart).toBeLessThanOrEqual(exact[index] ?? 0);
}

/** The first line follows what precedes it. */
function checkBeginning({ beginning, firstLine }: Stated, { lines }: Truth): void {
  if (beginning === '') return;
  expect(firstLine, beginning).toContain(lines[0]?.at.slice(11, 23));
}

/** A look that found nothing, anywhere and in all that was read. */
function checkResult({ result }: Stated, { lines }: Truth): void {
  const [, what] =
    /^No (error|warning)(?! further| found)(?!.*(?:so far|searched back|unread))/.exec(result) ?? [];
  if (what === 'error') expect(lines.filter(isError), result).toEqual([]);
  if (what === 'warning')
    expect(
      lines.filter(({ level }) => level === 'warn'),
      result,
    ).toEqual([]);
}
