import { Fragment, memo, type RefObject, useLayoutEffect, useRef } from 'react';
import type { StructuredLine } from '../../../../domain/structured/structured-line.ts';
import { type MarkedSegment, markHits } from '../../../ansi/mark-hits.ts';
import { legibleText, plainText } from '../../../ansi/plain-text.ts';
import { segmentStyle } from '../../../ansi/segment-style.ts';
import { splitAnsi } from '../../../ansi/segments.ts';
import { hiddenHitText } from '../../../messages/search.ts';
import type { Row } from '../../../worker/protocol/protocol.ts';
import '../../../ansi/ansi.css';
import { structuredOf } from '../../session/line-fields.ts';
import { GRID_CELL } from './grid-cell.ts';
import { layOut } from './line-layout.ts';

interface MessageProps {
  readonly row: Extract<Row, { readonly kind: 'line' }>;
  readonly wraps: boolean;
  /** Whether the text is shown as written, without parsing. */
  readonly isRaw: boolean;
  /** Whether to scroll the first hit into view, wherever it is in the line. */
  readonly isActive: boolean;
}

/** No screen is wider; the rest of a longer line is visible when lines wrap. */
const LIMIT_UNITS = 1_000;
/** A line of megabytes would freeze the browser; copying includes all of it. */
const LIMIT_WRAPPED_UNITS = 20_000;
/**
 * The text of a line, with its colors and hits; a line of a known format starts with its message. The text is never
 * interpreted as markup.
 */
export const Message = memo(function Message({ row, wraps, isRaw, isActive }: MessageProps) {
  const cell = useRef<HTMLSpanElement>(null);
  const seeksHit = isActive && !wraps && row.hits.length > 0;
  const limit = wraps || seeksHit ? LIMIT_WRAPPED_UNITS : LIMIT_UNITS;
  useHitInView(cell, seeksHit, row);
  const structured = isRaw ? undefined : structuredOf(row);
  return (
    <span {...GRID_CELL} ref={cell} className="message">
      {structured === undefined ? (
        <Written row={row} wraps={wraps} limit={limit} />
      ) : (
        <Structured row={row} structured={structured} wraps={wraps} limit={limit} />
      )}
    </span>
  );
});

interface TextProps extends Pick<MessageProps, 'row' | 'wraps'> {
  readonly limit: number;
}

/** A line as its program wrote it. */
function Written({ row, wraps, limit }: TextProps) {
  const segments = markHits(splitAnsi(row.text, limit), row.hits);
  const left =
    wraps && row.text.length > limit ? plainText(row.text).length - (segments.at(-1)?.end ?? 0) : 0;
  return (
    <>
      <Segments segments={segments} />
      <More left={left} />
    </>
  );
}

/** A parsed line: its message, its error, then the rest. */
function Structured({ row, structured, wraps, limit }: TextProps & { readonly structured: StructuredLine }) {
  const { message, fields, hitsIn, left } = layOut(row.text, structured, row.hits, limit);
  return (
    <>
      <Segments segments={message} />
      {hitsIn.map((key) => (
        <mark key={key} className="hidden-hit">
          {legibleText(hiddenHitText(key))}
        </mark>
      ))}
      {fields.map(({ isError, key, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line may write a key twice
        <Fragment key={at}>
          {at === 0 && message.length === 0 ? '' : ' '}
          <span className={isError ? 'pair bad' : 'pair'} data-pair={at}>
            <span className="key">
              <Segments segments={key} />
            </span>
            <Segments segments={value} />
          </span>
        </Fragment>
      ))}
      <More left={wraps ? left : 0} />
    </>
  );
}

function More({ left }: { readonly left: number }) {
  if (left <= 0) return null;
  return <span className="more">… {left.toLocaleString('en')} more characters; copying includes them</span>;
}

/** Scrolls the line sideways until its first hit is visible, and back when that is no longer wanted. */
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
    // The browser never draws text cut off by an ellipsis, even after scrolling.
    element.style.textOverflow = isBeyond ? 'clip' : '';
    element.scrollLeft = isBeyond ? leftPx - element.clientWidth / 3 : 0;
  }, [cell, seeksHit, row]);
}

function Segments({ segments }: { readonly segments: readonly MarkedSegment[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: what a line does not write has no position of its own
  return segments.map((segment, at) => <Segment key={at} segment={segment} />);
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
