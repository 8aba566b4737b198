import { memo, type RefObject, useLayoutEffect, useRef } from 'react';
import { type MarkedSegment, markHits } from '../../ansi/mark-hits.ts';
import { plainText } from '../../ansi/plain-text.ts';
import { segmentStyle } from '../../ansi/segment-style.ts';
import { splitAnsi } from '../../ansi/segments.ts';
import type { Row } from '../../worker/session/protocol.ts';
import '../../ansi/ansi.css';
import { GRID_CELL } from './grid-cell.ts';

interface MessageProps {
  readonly row: Extract<Row, { readonly kind: 'line' }>;
  readonly wraps: boolean;
  /** Its first hit is brought into view, wherever in the line it stands. */
  readonly isActive: boolean;
}

/** No screen is wider; the rest of a longer line shows when lines wrap. */
const LIMIT_UNITS = 1_000;
/** A line of megabytes would stop the browser; copying gives all of it. */
const LIMIT_WRAPPED_UNITS = 20_000;
/** Two `key=value` or more at the end of a line matter less than the text before them. */
const TAIL = /(?:\s+[\w.]{1,40}=(?:"[^"]{0,200}"|[^\s"]{1,200})){2,12}$/;

/** The text of a line, with its colors and the hits in it. Text is text: nothing of it is ever markup. */
export const Message = memo(function Message({ row, wraps, isActive }: MessageProps) {
  const cell = useRef<HTMLSpanElement>(null);
  const seeksHit = isActive && !wraps && row.hits.length > 0;
  const limit = wraps || seeksHit ? LIMIT_WRAPPED_UNITS : LIMIT_UNITS;
  useHitInView(cell, seeksHit, row);
  const segments = markHits(splitAnsi(row.text, limit), row.hits);
  const more =
    wraps && row.text.length > limit ? plainText(row.text).length - (segments.at(-1)?.end ?? 0) : 0;
  return (
    <span {...GRID_CELL} ref={cell} className="message">
      {segments.length === 1 && segments[0]?.hit === undefined && !row.isJson ? (
        <PlainText segment={segments[0]} />
      ) : (
        segments.map((segment) => <Segment key={segment.start} segment={segment} />)
      )}
      {more > 0 ? (
        <span className="more">… {more.toLocaleString('en')} more characters; copying includes them</span>
      ) : null}
    </span>
  );
});

/** Moves the line sideways until its first hit is seen, and back when that is not asked for any more. */
function useHitInView(
  cell: RefObject<HTMLElement | null>,
  seeksHit: boolean,
  row: MessageProps['row'],
): void {
  const isMoved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row, or other hits, stand elsewhere
  useLayoutEffect(() => {
    const element = cell.current;
    if (element === null || !(seeksHit || isMoved.current)) return;
    const hit = seeksHit ? element.querySelector('mark') : null;
    const leftPx =
      hit === null
        ? 0
        : hit.getBoundingClientRect().left - element.getBoundingClientRect().left + element.scrollLeft;
    const isBeyond = leftPx + (hit?.offsetWidth ?? 0) > element.clientWidth;
    isMoved.current = isBeyond;
    // What is cut off by dots is not drawn, wherever the line is moved to.
    element.style.textOverflow = isBeyond ? 'clip' : '';
    element.scrollLeft = isBeyond ? leftPx - element.clientWidth / 3 : 0;
  }, [cell, seeksHit, row]);
}

function PlainText({ segment }: { readonly segment: MarkedSegment | undefined }) {
  if (segment === undefined) return null;
  // A line that is all of pairs has its message in one of them.
  const tail =
    segment.text.length < 600 && !/^\s*[\w.]+=/.test(segment.text) ? TAIL.exec(segment.text) : null;
  if (tail === null) return <Segment segment={segment} />;
  return (
    <>
      {segment.text.slice(0, tail.index)}
      <span className="tail">{tail[0]}</span>
    </>
  );
}

function Segment({ segment }: { readonly segment: MarkedSegment }) {
  const styling = segmentStyle(segment);
  const text =
    styling === undefined ? (
      segment.text
    ) : (
      <span className={styling.className} style={styling.style}>
        {segment.text}
      </span>
    );
  return segment.hit === undefined ? text : <mark>{text}</mark>;
}
