import { type FunctionTable, type GoFunction, goFunction } from '../../../template/function.ts';
import { abbreviated, wrap } from './fold.ts';
import { joinedTokens, pascalCase } from './tokens.ts';

const shaped = (shape: (text: string) => string): GoFunction =>
  goFunction(['string'], 'string', (call, text) => {
    call.charge(text.length);
    return shape(text);
  });

/** Returns the text unchanged if the width is too small to abbreviate it. */
const ABBREV = goFunction(['int', 'string'], 'string', (_call, width, text) =>
  width.value < 4n ? text : abbreviated(text, 0, Number(width.value)),
);
const ABBREV_BOTH = goFunction(['int', 'int', 'string'], 'string', (_call, left, right, text) =>
  right.value < 4n || (left.value > 0n && right.value < 7n)
    ? text
    : abbreviated(text, Number(left.value), Number(right.value)),
);

/** Sprig's functions that shorten, wrap and recompose texts. */
export const TEXT_SHAPE_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['abbrev', ABBREV],
  ['abbrevboth', ABBREV_BOTH],
  ['snakecase', shaped((text) => joinedTokens(text, '_'))],
  ['kebabcase', shaped((text) => joinedTokens(text, '-'))],
  ['camelcase', shaped(pascalCase)],
  [
    'wrap',
    goFunction(['int', 'string'], 'string', (call, width, text) => {
      call.charge(text.length * 2);
      return text === '' ? '' : wrap(text, Number(width.value), '\n', false);
    }),
  ],
  [
    'wrapWith',
    goFunction(['int', 'string', 'string'], 'string', (call, width, lineBreak, text) => {
      const lines = Math.ceil(text.length / Math.max(Number(width.value), 1));
      call.charge(text.length + lines * lineBreak.length);
      return text === '' ? '' : wrap(text, Number(width.value), lineBreak || '\n', true);
    }),
  ],
]);
