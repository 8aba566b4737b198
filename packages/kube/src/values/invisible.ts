/**
 * Characters that a terminal does not show, or that reorder the text around them, as ranges of a character class:
 * Unicode's default ignorable ones (soft hyphen, fillers, joiners, bidirectional controls, word joiners, variation
 * selectors, byte order mark; https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point), line and paragraph
 * separators, and interlinear annotations. They can make one name look like another
 * (https://www.unicode.org/reports/tr36/, section 2.5).
 */
export const INVISIBLE = String.raw`\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`;
/**
 * The invisible characters above U+FFFF: tags, which repeat ASCII, more variation selectors, shorthand and musical
 * formats.
 */
export const INVISIBLE_PAIR = String.raw`[\udb40-\udb43][\udc00-\udfff]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]`;
/** Units that begin an INVISIBLE_PAIR. */
export const INVISIBLE_PAIR_START = String.raw`\udb40-\udb43\ud82f\ud834`;

/** Characters after which a joiner combines several emoji into one. */
const EMOJI_END = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const EMOJI_START = /^\p{Extended_Pictographic}/u;
/** Writing systems that are unreadable without joiners. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Mong}]$/u;
/** Characters whose variant a variation selector chooses. */
const VARYING = /[\p{Extended_Pictographic}\p{Ideographic}]$/u;
/** A script whose letters have forms that a selector chooses. */
const MONGOLIAN = /\p{scx=Mong}$/u;
const KEYCAP = /^\u20e3/;

/**
 * Whether an invisible character at `at` is a legitimate part of the text around it: inside an emoji, or in a script
 * that needs joiners.
 */
export function isOfWriting(character: string, text: string, at: number): boolean {
  // Two UTF-16 units hold any preceding character.
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
