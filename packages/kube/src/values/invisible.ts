/**
 * Characters that a terminal draws as nothing, or that reorder the text around them, as ranges of a character class:
 * those that Unicode calls default ignorable (soft hyphen, fillers, joiners, bidirectional controls, word joiners,
 * variation selectors, byte order mark; https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point), line and
 * paragraph separators, and interlinear annotations. A name can look like another one with them
 * (https://www.unicode.org/reports/tr36/, section 2.5).
 */
export const INVISIBLE = String.raw`\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`;
/** The invisible ones above U+FFFF: tags, which repeat ASCII, more variation selectors, shorthand and musical formats. */
export const INVISIBLE_PAIR = String.raw`[\udb40-\udb43][\udc00-\udfff]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]`;
/** Units that begin an INVISIBLE_PAIR. */
export const INVISIBLE_PAIR_START = String.raw`\udb40-\udb43\ud82f\ud834`;

/** After these a joiner makes one emoji of several. */
const EMOJI_END = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const EMOJI_START = /^\p{Extended_Pictographic}/u;
/** Writing systems that need joiners to be readable. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Mong}]$/u;
/** What a variation selector chooses the look of. */
const VARYING = /[\p{Extended_Pictographic}\p{Ideographic}]$/u;
/** Letters of this script have forms that a selector chooses. */
const MONGOLIAN = /\p{scx=Mong}$/u;
const KEYCAP = /^\u20e3/;

/** Whether an invisible character at `at` belongs to the writing around it: inside an emoji, or of a script that joins. */
export function isOfWriting(character: string, text: string, at: number): boolean {
  // Two units hold the character before, whatever it is.
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + character.length, at + character.length + 2);
  if (character === '\u200d' || character === '\u200c')
    return (
      JOINING.test(before) || (character === '\u200d' && EMOJI_END.test(before) && EMOJI_START.test(after))
    );
  if (/^[\u180b-\u180d\u180f]$/.test(character)) return MONGOLIAN.test(before);
  const isSelector = /^[\ufe00-\ufe0f]$/.test(character) || /^\udb40[\udd00-\uddef]$/.test(character);
  return isSelector && (VARYING.test(before) || KEYCAP.test(after));
}
