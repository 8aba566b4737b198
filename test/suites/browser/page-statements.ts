import type { Page } from 'playwright-core';

/** Lines of the range as written. */
interface Written {
  readonly lines: readonly { readonly at: string; readonly text: string; readonly level: string }[];
}

/**
 * The page's statements other than its counts by level and its chart, for a range with an end, in UTC,
 * without filters.
 */
export interface PageStatements {
  /** Text shown in place of lines. */
  readonly empty: string;
  readonly onset: string;
  readonly connection: string;
  readonly follow: string;
  readonly hits: string;
  readonly search: string;
  readonly isRegex: boolean;
}

/**
 * Returns the topic of each false statement. Containers of the incidents run, and a range with an end has
 * nothing to follow.
 */
export function falseStatements(stated: PageStatements, { lines }: Written): readonly string[] {
  const onset = /^errors begin (?:\S+ )?([\d:]+)$/.exec(stated.onset)?.[1];
  const isErrorAt = ({ at, level }: Written['lines'][number]) =>
    (level === 'error' || level === 'fatal') && at.slice(11, 19) === onset;
  const isFalse = {
    empty: /^No lines?\b/.test(stated.empty) && lines.length > 0,
    onset: onset !== undefined && !lines.some(isErrorAt),
    finished: /all containers finished/i.test(stated.connection),
    following: stated.follow.includes('Following'),
    hits: areHitsFalse(stated, lines),
  };
  return Object.entries(isFalse).flatMap(([about, is]) => (is ? [about] : []));
}

function areHitsFalse({ hits, search, isRegex }: PageStatements, lines: Written['lines']): boolean {
  const [, found, scope = ''] = /^(?:.* · )?([\d,]+) hits?…?(?: (in .*))?$/.exec(hits) ?? [];
  const sought = search.replaceAll('"', '');
  if (found === undefined || sought === '' || isRegex) return false;
  const count = Number(found.replaceAll(',', ''));
  const exact = lines.filter(({ text }) => text.includes(sought)).length;
  return count > exact || (/^in (\S+ )?\S+ to (\S+ )?\S+$/.test(scope) && count !== exact);
}

export async function readStatements(page: Page): Promise<PageStatements> {
  return page.evaluate(() => {
    const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? '';
    const buttons = [...document.querySelectorAll('button')].map(({ textContent }) => textContent ?? '');
    const toggles = [...document.querySelectorAll('.search-toggles [aria-pressed="true"]')];
    return {
      empty: textOf('[data-empty] h2'),
      onset: buttons.find((text) => text.startsWith('errors begin ')) ?? '',
      connection: textOf('[role="status"][aria-label="Connection"]'),
      follow: textOf('button.follow[aria-pressed="true"]'),
      hits: textOf('[role="status"][aria-label="Search"]'),
      search: document.querySelector<HTMLInputElement>('[data-search-field]')?.value ?? '',
      isRegex: toggles.some(({ textContent }) => textContent?.includes('Regular expression')),
    };
  });
}
