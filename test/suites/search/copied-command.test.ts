import { execFileSync } from 'node:child_process';
import { stripSgr } from '@logtool/logtool/src/domain/ansi.ts';
import { LEVEL_CHOICES, LEVELS } from '@logtool/logtool/src/domain/filter.ts';
import { levelIndex } from '@logtool/logtool/src/domain/level.ts';
import { compileFilter } from '@logtool/logtool/src/stream/match/compile-filter.ts';
import { compileSearch } from '@logtool/logtool/src/stream/match/compile-search.ts';
import { commandOf } from '@logtool/logtool/src/ui/console/bar/command-line.ts';
import type { ConsoleUrl } from '@logtool/logtool/src/ui/console/url/console-url.ts';
import { readConsoleUrl } from '@logtool/logtool/src/ui/console/url/read-console-url.ts';
import { searchPlanOf } from '@logtool/logtool/src/ui/console/url/view-plan.ts';
import { parseSearch } from '@logtool/logtool/src/ui/frame/search-params.ts';
import { expect, test } from 'vitest';
import { planOf } from '../../support/cli/plan-of.ts';
import { recordsWith } from '../../support/engine/records-with.ts';

const LINES = [
  'INFO retrying payment (attempt 2)',
  'INFO payment is retrying',
  'WARN Retrying Payment',
  'ERROR payment failed',
  'retrying the payment',
  'DEBUG retrying',
  'INFO repayment: retrying $5',
  "ERROR can't retry payment [a+b]",
  '\u001b[31mERROR pay\u001b[1mment\u001b[0m retrying',
  'nothing to see',
];

test.each([
  'q=retrying payment',
  'q=payment retrying -attempt',
  'q=-payment',
  'q=retrying payment&case=1',
  'q=retrying payment&word=1',
  `q=can't [a%2bb] payment`,
  'q=retry.*pay|^ERROR&regex=1',
  'q=payment @level:error',
  'q=payment -@level:info,none',
  'exc.level=info',
  'inc.level=none&inc.level=error',
  'q=payment&exc.level=error&exc.level=none',
])('the copied command keeps the same lines as %s', async (view) => {
  const url = readConsoleUrl(parseSearch(`?src=web&only=1&${view}`));
  const command = commandOf(url, []);
  expect(command.without).toEqual([]);
  const { engine } = await planOf(shellArguments(command.text).slice(2));
  expect(engine.filter.wholeRecords).toBe(true);
  const filter = (await compileFilter({ ...engine.filter, wholeRecords: false })).open();
  const kept = filter(recordsWith(LINES)).map(({ message }) => Buffer.from(message).toString());
  const shown = shownBy(url);
  expect(shown.length).toBeGreaterThan(0);
  expect(kept).toEqual(shown);
});

/** Returns the lines that the page shows by its own rules. */
function shownBy(url: ConsoleUrl): readonly string[] {
  const { inc, exc } = url;
  const search = searchPlanOf(url);
  const { finds, levels } = compileSearch({ search, fields: [] });
  const expression = search.regex ? new RegExp(search.text, 'i') : undefined;
  return recordsWith(LINES).flatMap((record) => {
    const text = Buffer.from(record.message).toString();
    const plain = Buffer.from(stripSgr(record.message)).toString();
    const level = levelIndex(record.message);
    const name = LEVEL_CHOICES[level] ?? LEVELS[0];
    const isChosen = inc?.level?.includes(name) !== false && exc?.level?.includes(name) !== true;
    const isFound = finds?.(record) !== false && expression?.test(plain) !== false;
    return isChosen && isFound && levels?.(level) !== false ? [text] : [];
  });
}

/** Returns the arguments of a command line as a POSIX shell splits it. */
function shellArguments(line: string): readonly string[] {
  const out = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return out.split('\0').slice(0, -1);
}
