import type { Level } from './filter.ts';
import { levelOfWord } from './level-words.ts';

/** Limits of the examined head: words and characters. */
const MAX_WORDS = 10;
const MAX_CHARACTERS = 400;
/** Names of threads, hosts and programs that may stand between the time and the level. */
const MAX_NAMES = 2;

/**
 * The level of a line by the words at its head, where loggers write it: after a time, in brackets, before a
 * colon, or as the first word in capitals. Stops where the message itself begins.
 */
export function levelOfHead(text: string): Level | undefined {
  // Envoy writes its brackets without a blank between.
  const words = text
    .slice(0, MAX_CHARACTERS)
    .replaceAll('][', '] [')
    .matchAll(/[^\s|]+/g);
  let sawTime = false;
  let afterTime = true;
  let names = 0;
  let count = 0;
  for (const [word] of words) {
    if (count++ === MAX_WORDS) return undefined;
    const level = levelOfToken(word, { isFirst: count === 1, afterTime: sawTime && afterTime });
    if (level !== undefined) return level;
    if (isTime(word)) {
      sawTime = true;
      afterTime = true;
      continue;
    }
    afterTime = false;
    if (isMark(word)) continue;
    // A plain word: the name of a thread or host after the time, else the message.
    if (!sawTime || ++names > MAX_NAMES) return undefined;
  }
  return undefined;
}

const WRAPPED = /^[[(<{]+(?:[\w.-]{1,40}[:/])?([A-Za-z]{1,13}\d?)[\])>}]+[:,;-]*$/;
const BEFORE_COLON = /^([A-Za-z]{1,13}\d?):(?:$|[^\\/])/;
const BARE = /^[[(]?([A-Za-z]{1,13}\d?)[\]),;]?$/;
const THREAD = /^[\w.-]{0,40}\/([A-Z]{3,8})\]:?$/;

function levelOfToken(
  word: string,
  place: { readonly isFirst: boolean; readonly afterTime: boolean },
): Level | undefined {
  // `[error]`, `<warn>`, `[core:error]`, `(INFO)`.
  const wrapped = WRAPPED.exec(word)?.[1];
  if (wrapped !== undefined) return levelOfWord(wrapped);
  // `ERROR:`, `error:`, `ERROR:root:message`, `info:`.
  const labelled = BEFORE_COLON.exec(word)?.[1];
  if (labelled !== undefined) return levelOfWord(labelled);
  // `[Server thread/INFO]:`
  const thread = THREAD.exec(word)?.[1];
  if (thread !== undefined) return levelOfWord(thread);
  const bare = BARE.exec(word)?.[1];
  if (bare === undefined || AMBIGUOUS.has(bare.toLowerCase())) return undefined;
  // Small letters are a word of the message unless they come right after the time.
  return bare === bare.toUpperCase() || place.afterTime ? levelOfWord(bare) : undefined;
}

/** Words that mean a level only with a colon or in brackets. */
const AMBIGUOUS = new Set(['log', 'note', 'system', 'fail', 'fine', 'alert', 'information', 'verbose']);

const TIME = /^[[("]?(?:\d{2,4}[-/.:]\d\d|\d{10,19}\b|\d{1,2}:\d\d)/;
const CALENDAR =
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun|AM|PM|UTC|GMT|[A-Z]{2,3}T),?$/;

function isTime(word: string): boolean {
  return (
    TIME.test(word) || CALENDAR.test(word.replace(/^\[/, '')) || /^(?:\d{1,4},?|[+-]\d{4}\]?)$/.test(word)
  );
}

/** Not a word of a sentence: brackets, numbers, names with dots or dashes, punctuation. */
function isMark(word: string): boolean {
  if (/^["']/.test(word)) return false;
  return /^[[(<{]|[\])>}]:?$|[\d=/_@#.:-]/.test(word) || !/[A-Za-z]/.test(word);
}
