import { quoteOf } from '../../../../domain/structured/quote-of.ts';
import { shortPieces } from '../../../../domain/structured/structure-line.ts';
import type { LineField, Piece, StructuredLine } from '../../../../domain/structured/structured-line.ts';
import { type MarkedSegment, markHits } from '../../../ansi/mark-hits.ts';
import { legibleText } from '../../../ansi/plain-text.ts';
import { type Segment, splitAnsi } from '../../../ansi/segments.ts';
import { PLAIN } from '../../../ansi/sgr.ts';

type Hits = readonly (readonly [number, number])[];

/** A field as a row draws it. */
export interface DrawnField {
  readonly isError: boolean;
  /** Includes the `=` after the key. */
  readonly key: readonly MarkedSegment[];
  readonly value: readonly MarkedSegment[];
}

/** What a row draws of a parsed line. */
export interface LineLayout {
  readonly message: readonly MarkedSegment[];
  readonly fields: readonly DrawnField[];
  /** Keys with hits in parts that are not drawn; '' stands for the text around keys and values. */
  readonly hitsIn: readonly string[];
  /** Number of characters that are not drawn because of the limit. */
  readonly left: number;
}

/** Further hits in one line are not traced to hidden parts. */
const MAX_HITS = 200;

/** Lays out a line: the message, then its fields, with their hits. Draws about `limitUnits` units of text. */
export function layOut(
  text: string,
  { message, fields, hidden }: StructuredLine,
  hits: Hits,
  limitUnits: number,
): LineLayout {
  const drawing = new Drawing(hits, limitUnits);
  const drawnMessage = drawing.draw(message);
  const drawnFields: DrawnField[] = [];
  for (const field of fields) {
    if (drawing.isFull) break;
    const [key, value] = piecesOf(text, field, hits);
    drawnFields.push({ isError: field.isError, key: drawing.draw(key), value: drawing.draw(value) });
  }
  const all = [...fields, ...hidden];
  const unseen = hits
    .slice(0, MAX_HITS)
    .filter((hit) => !drawing.drawn.some((piece) => overlaps(hit, piece)));
  const keys = unseen.map((hit) => all.find(({ start, end }) => overlaps(hit, { start, end }))?.key ?? '');
  const left = fields
    .slice(drawnFields.length)
    .reduce((sum, { start, end }) => sum + end - start, drawing.cut);
  return { message: drawnMessage, fields: drawnFields, hitsIn: [...new Set(keys)], left };
}

function overlaps([start, end]: Hits[number], range: Pick<Piece, 'start' | 'end'>): boolean {
  return start < range.end && end > range.start;
}

/** Draws pieces until the limit is reached. */
class Drawing {
  readonly drawn: Piece[] = [];
  cut = 0;
  readonly #hits: Hits;
  #leftUnits: number;

  constructor(hits: Hits, limitUnits: number) {
    this.#hits = hits;
    this.#leftUnits = limitUnits;
  }

  get isFull(): boolean {
    return this.#leftUnits <= 0;
  }

  draw(pieces: readonly Piece[]): readonly MarkedSegment[] {
    const own: Piece[] = [];
    for (const piece of pieces) {
      const kept = this.#shorten(piece);
      this.#leftUnits -= kept.text.length;
      this.cut += piece.end - kept.end;
      if (kept.text !== '') own.push(kept);
    }
    this.drawn.push(...own.filter(({ start, end }) => end > start));
    const first = Math.min(...own.map(({ start }) => start));
    return markHits(own.flatMap(segmentsOf), this.#hits.slice(firstHit(this.#hits, first)));
  }

  /** Returns the beginning of a piece that is drawn as written. */
  #shorten(piece: Piece): Piece {
    const left = Math.max(0, this.#leftUnits);
    if (piece.text.length <= left || piece.text.length !== piece.end - piece.start) return piece;
    const code = piece.text.charCodeAt(left - 1);
    const length = code >= 0xd800 && code <= 0xdbff ? left - 1 : left;
    return { start: piece.start, end: piece.start + length, text: piece.text.slice(0, length) };
  }
}

/** Index of the first hit that ends after an offset. */
function firstHit(hits: Hits, offset: number): number {
  let [low, high] = [0, hits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hits[middle]?.[1] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function segmentsOf({ start, end, text }: Piece): readonly Segment[] {
  if (text.length !== end - start)
    return [{ start, end, text: legibleText(text), style: PLAIN, isControl: false, isWhole: true }];
  return splitAnsi(text).map((segment) => ({
    ...segment,
    start: segment.start + start,
    end: segment.end + start,
  }));
}

/** The key and value of a field; an id that contains a hit is shown in full. */
function piecesOf(text: string, field: LineField, hits: Hits): readonly [readonly Piece[], readonly Piece[]] {
  const next = hits[firstHit(hits, field.start)];
  const isHit = next !== undefined && overlaps(next, field);
  const value = isHit ? field.shown : shortPieces(field);
  const sought = quoteOf(field.value);
  const quote = sought === '' ? [] : [sign(sought, field.start)];
  return [
    [...keyPieces(text, field), sign('=', field.start)],
    [...quote, ...value, ...quote],
  ];
}

/** Text that the line does not contain, or not at that position. */
function sign(text: string, at: number): Piece {
  return { start: at, end: at, text };
}

/** The key as written in the line; for a nested key, the last key of its path. */
function keyPieces(text: string, { key, start, end }: LineField): readonly Piece[] {
  const quotes = text[start] === '"' ? 1 : 0;
  for (const own of quotes === 0 ? [key] : [key, key.slice(key.lastIndexOf('.') + 1)]) {
    const from = start + quotes;
    if (own === '' || from + own.length > end || !text.startsWith(own, from)) continue;
    const before = key.slice(0, key.length - own.length);
    const written = { start: from, end: from + own.length, text: own };
    return before === '' ? [written] : [sign(before, start), written];
  }
  return [sign(key, start)];
}
