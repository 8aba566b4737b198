import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/*
 * Compares everything the page states about a fully known log, in every frame, with the truth. A statement
 * that names no range, and does not say that reading continues, is about the whole range.
 */

/** A line as written. */
export interface Line {
  readonly app: string;
  /** ms since the epoch */
  readonly atMs: number;
  readonly level: string;
  readonly text: string;
}

/** The page's inputs and statements, as drawn in one frame. */
export interface Statement {
  /** The text of the search field. */
  readonly search: string;
  readonly isOnly: boolean;
  /** Chosen levels. */
  readonly chosen: readonly string[];
  readonly scope: string;
  readonly levels: readonly (readonly [level: string, count: string])[];
  readonly containers: readonly (readonly [title: string, count: string])[];
  readonly chart: string;
  readonly chartLabel: string;
  readonly hits: string;
  readonly empty: string;
}

/**
 * Records each statement of the page from its first frame on, for `statementsOf`. Call it before the page
 * loads.
 */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const statements: string[] = [];
    Reflect.set(globalThis, 'statements', statements);
    const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? '';
    const counts = (facet: string, nameOf: (row: HTMLElement) => string | undefined) =>
      [...document.querySelectorAll<HTMLElement>(`[data-facet="${facet}"]`)].map((row) => [
        nameOf(row) ?? '',
        row.querySelector('.facet-count')?.firstChild?.textContent ?? '',
      ]);
    const sample = () => {
      requestAnimationFrame(sample);
      if (document.querySelector('.log-scroll, [data-empty]') === null) return;
      const statement = JSON.stringify({
        search: document.querySelector<HTMLInputElement>('[data-search-field]')?.value ?? '',
        isOnly: [...document.querySelectorAll('.search-toggles [aria-pressed="true"]')].some((toggle) =>
          toggle.textContent?.includes('Matching lines only'),
        ),
        chosen: [...document.querySelectorAll<HTMLElement>('[data-facet="level"].included')].map(
          (row) => row.dataset.value,
        ),
        scope: textOf('.facet-scope'),
        levels: counts('level', (row) => row.dataset.value),
        containers: counts('container', (row) => row.querySelector<HTMLElement>('.facet-value')?.title),
        chart: document.querySelector('[role="slider"]')?.getAttribute('aria-valuetext') ?? '',
        chartLabel: textOf('.histogram-label'),
        hits: textOf('[role="status"][aria-label="Search"]'),
        empty: textOf('[data-empty] h2'),
      });
      if (statements.at(-1) !== statement) statements.push(statement);
    };
    sample();
  });
}

/** Returns all statements so far. */
export async function statementsOf(page: Page): Promise<readonly Statement[]> {
  const statements = await page.evaluate(() => Reflect.get(globalThis, 'statements') as readonly string[]);
  return statements.map((statement) => JSON.parse(statement) as Statement);
}

/** Waits until the page reports that reading is complete, for a statement that `isAsked` accepts. */
export async function restingStatement(
  page: Page,
  isAsked: (statement: Statement) => boolean,
): Promise<Statement> {
  const latest = async () => (await statementsOf(page)).at(-1);
  const isResting = (statement: Statement | undefined) =>
    statement !== undefined &&
    isAsked(statement) &&
    /^Counts in (?!the [\d,]+ loaded)/.test(statement.scope) &&
    statement.chart !== 'Reading…' &&
    !statement.chartLabel.includes('Counting') &&
    !statement.hits.includes('…');
  let found: Statement | undefined;
  await eventually(async () => {
    const statement = await latest();
    if (isResting(statement)) found = statement;
    return isResting(statement) ? 'resting' : statement;
  }).toBe('resting');
  if (found === undefined) throw new Error('the page does not rest');
  return found;
}

const numberOf = (text: string | undefined) => Number((text ?? '').replaceAll(',', ''));
const RANGE = String.raw`(?:\d{4}-\d\d-\d\d )?[\d:]+ to (?:\d{4}-\d\d-\d\d )?[\d:]+`;
/** The whole range, in all containers or in the readable ones. */
const WHOLE = new RegExp(`^in ${RANGE}(?:, without \\d+ containers?)?$`);

/** All lines of the range, and which of them are readable. */
export interface Truth {
  readonly lines: readonly Line[];
  readonly isReadable: (line: Line) => boolean;
}

/** Returns the lines that a statement's filters show, and the number of its hits. */
export function truthOf(truth: Truth, { search, isOnly, chosen }: Statement) {
  const sought = search.replaceAll('"', '');
  const isHit = ({ text }: Line) => sought === '' || text.includes(sought);
  const lines = truth.lines.filter(truth.isReadable);
  const kept = lines.filter((line) => !isOnly || isHit(line));
  const hasLevel = ({ level }: Line) => chosen.length === 0 || chosen.includes(level);
  const shown = kept.filter(hasLevel);
  return { kept, shown, hits: lines.filter((line) => isHit(line) && hasLevel(line)).length };
}

/** Compares a statement with the written lines. */
export function checkStatement(truth: Truth, statement: Statement): void {
  const about = JSON.stringify(statement);
  const { kept, shown, hits } = truthOf(truth, statement);
  checkCounts(statement, kept, shown);
  checkChart(statement.chart, shown, about);
  const [, found, isReading, scope = ''] =
    /^(?:.* · )?([\d,]+) hits?(…?)(?: (in .*))?$/.exec(statement.hits) ?? [];
  if (!['', 'Searching…'].includes(statement.hits)) expect(found, about).toBeDefined();
  if (found !== undefined) checkCount(numberOf(found), hits, isReading === '' && WHOLE.test(scope), about);
  if (statement.empty === 'No lines in this range')
    expect(truth.lines.filter(truth.isReadable), about).toEqual([]);
  if (statement.empty === 'No lines match the filters') expect(shown, about).toEqual([]);
}

function checkCount(stated: number, exact: number, isWhole: boolean, about: string): void {
  if (isWhole) expect(stated, about).toBe(exact);
  else expect(stated, about).toBeLessThanOrEqual(exact);
}

/** Each level is counted among all levels, each container among the lines of the chosen levels. */
function checkCounts(
  { scope, levels, containers, ...statement }: Statement,
  kept: readonly Line[],
  shown: readonly Line[],
): void {
  if (scope === 'Counting…') return;
  const isWhole = scope === '' || WHOLE.test(scope.replace('Counts ', ''));
  const about = (name: string) => `${name}, ${scope}, ${JSON.stringify(statement)}`;
  for (const [level, count] of levels) {
    const exact = kept.filter((line) => line.level === level).length;
    checkCount(numberOf(count), exact, isWhole, about(level));
  }
  for (const [title, count] of containers) {
    const exact = shown.filter(({ app }) => title.startsWith(`shop/${app}-`)).length;
    checkCount(numberOf(count.replace('+', '')), exact, isWhole && !count.endsWith('+'), about(title));
  }
}

function checkChart(chart: string, shown: readonly Line[], about: string): void {
  if (chart === 'No lines') expect(shown, about).toEqual([]);
  const [, least, lines, errors] =
    /: (not all read; at least )?([\d,]+) lines?, ([\d,]+) errors?/.exec(chart) ?? [];
  if (lines === undefined) {
    expect(['', 'Reading…', 'No lines', 'No lines in the part that logtool read']).toContain(chart);
    return;
  }
  checkCount(numberOf(lines), shown.length, least === undefined, about);
  const exact = shown.filter(({ level }) => level === 'error').length;
  checkCount(numberOf(errors), exact, least === undefined, about);
}
