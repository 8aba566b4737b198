import { needsQuotes, shortPieces } from '../../../domain/structured/structure-line.ts';
import type { LineField, Piece, StructuredLine } from '../../../domain/structured/structured-line.ts';
import { type MarkedSegment, markHits } from '../../ansi/mark-hits.ts';
import { legibleText } from '../../ansi/plain-text.ts';
import { type Segment, splitAnsi } from '../../ansi/segments.ts';
import { PLAIN } from '../../ansi/sgr.ts';

type Hits = readonly (readonly [number, number])[];

/** A field as a row draws it. */
export interface DrawnField {
  readonly isError: boolean;
  /** With the `=` after it. */
  readonly key: readonly MarkedSegment[];
  readonly value: readonly MarkedSegment[];
}

/** What a row draws of a line that was taken apart. */
export interface LineLayout {
  readonly message: readonly MarkedSegment[];
  readonly fields: readonly DrawnField[];
  /** Keys with hits in what is not drawn; '' stands for what the program wrote around keys and values. */
  readonly hitsIn: readonly string[];
  /** Characters that are not drawn, because they are too many. */
  readonly left: number;
}

/** More hits in one line are not followed to what is hidden. */
const MAX_HITS = 200;

/** Lays a line out: the message, then its fields, with the hits in them. Draws about `limitUnits` units of text. */
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

/** Draws pieces until there are too many. */
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

  /** The beginning of what is written as it is. */
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

/** The key and the value of a field; an id with a hit in it is shown whole. */
function piecesOf(text: string, field: LineField, hits: Hits): readonly [readonly Piece[], readonly Piece[]] {
  const next = hits[firstHit(hits, field.start)];
  const isHit = next !== undefined && overlaps(next, field);
  const value = isHit ? field.shown : shortPieces(field);
  const quote = needsQuotes(field.value) ? [sign('"', field.start)] : [];
  return [
    [...keyPieces(text, field), sign('=', field.start)],
    [...quote, ...value, ...quote],
  ];
}

/** What the line does not write, or not there. */
function sign(text: string, at: number): Piece {
  return { start: at, end: at, text };
}

/** The key where the line writes it; of a nested one, the last key of its path. */
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
