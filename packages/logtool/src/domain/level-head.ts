import type { Level } from './filter.ts';
import { levelOfName } from './level-names.ts';

/** Limits of the examined head: tokens and characters. */
const MAX_TOKENS = 10;
const MAX_CHARACTERS = 400;
/** Maximum names of threads, hosts and programs between the time and the level. */
const MAX_NAMES = 2;

/**
 * Returns the level of a line by the words at its head, where loggers write it: after a time, in brackets, before a
 * colon, or as the first word in capitals. Stops where the message itself begins.
 */
export function levelOfHead(text: string): Level | undefined {
  // Envoy writes its brackets without a blank between.
  const tokens = text
    .slice(0, MAX_CHARACTERS)
    .replaceAll('][', '] [')
    .matchAll(/[^\s|]+/g);
  let sawTime = false;
  let afterTime = true;
  let names = 0;
  let count = 0;
  for (const [token] of tokens) {
    if (count++ === MAX_TOKENS) return undefined;
    const level = levelOfToken(token, { isFirst: count === 1, afterTime: sawTime && afterTime });
    if (level !== undefined) return level;
    if (isTime(token)) {
      sawTime = true;
      afterTime = true;
      continue;
    }
    afterTime = false;
    if (isMark(token)) continue;
    // A plain word: the name of a thread or host after the time; otherwise the message.
    if (!sawTime || ++names > MAX_NAMES) return undefined;
  }
  return undefined;
}

const WRAPPED = /^[[(<{]+(?:[\w.-]{1,40}[:/])?([A-Za-z]{1,13}\d?)[\])>}]+[:,;-]*$/;
const BEFORE_COLON = /^([A-Za-z]{1,13}\d?):(?:$|[^\\/])/;
const BARE = /^[[(]?([A-Za-z]{1,13}\d?)[\]),;]?$/;
const THREAD = /^[\w.-]{0,40}\/([A-Z]{3,8})\]:?$/;

function levelOfToken(
  token: string,
  context: { readonly isFirst: boolean; readonly afterTime: boolean },
): Level | undefined {
  // `[error]`, `<warn>`, `[core:error]`, `(INFO)`.
  const wrapped = WRAPPED.exec(token)?.[1];
  if (wrapped !== undefined) return levelOfName(wrapped);
  // `ERROR:`, `error:`, `ERROR:root:message`, `info:`.
  const labeled = BEFORE_COLON.exec(token)?.[1];
  if (labeled !== undefined) return levelOfName(labeled);
  // `[Server thread/INFO]:`
  const thread = THREAD.exec(token)?.[1];
  if (thread !== undefined) return levelOfName(thread);
  const bare = BARE.exec(token)?.[1];
  if (bare === undefined || AMBIGUOUS.has(bare.toLowerCase())) return undefined;
  // A lowercase word belongs to the message unless it comes right after the time.
  return bare === bare.toUpperCase() || context.afterTime ? levelOfName(bare) : undefined;
}

/** Words that mean a level only with a colon or in brackets. */
const AMBIGUOUS = new Set(['log', 'note', 'system', 'fail', 'fine', 'alert', 'information', 'verbose']);

const TIME = /^[[("]?(?:\d{2,4}[-/.:]\d\d|\d{10,19}\b|\d{1,2}:\d\d)/;
const CALENDAR =
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun|AM|PM|UTC|GMT|[A-Z]{2,3}T),?$/;

function isTime(token: string): boolean {
  return (
    TIME.test(token) || CALENDAR.test(token.replace(/^\[/, '')) || /^(?:\d{1,4},?|[+-]\d{4}\]?)$/.test(token)
  );
}

/** Whether a token is not a word of a sentence: brackets, numbers, names with dots or dashes, punctuation. */
function isMark(token: string): boolean {
  if (/^["']/.test(token)) return false;
  return /^[[(<{]|[\])>}]:?$|[\d=/_@#.:-]/.test(token) || !/[A-Za-z]/.test(token);
}
