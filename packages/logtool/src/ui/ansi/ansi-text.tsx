import { segmentStyle } from './segment-style.ts';
import { splitAnsi } from './segments.ts';
import './ansi.css';

interface AnsiTextProps {
  readonly text: string;
}

/** A text from a log shown outside its line (a field, a cell), drawn as in the line, with its line breaks. */
export function AnsiText({ text }: AnsiTextProps) {
  return text.split(LINE_END).map((piece, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
    <Line key={line} text={piece} isFirst={line === 0} />
  ));
}

const LINE_END = /\r?\n/;

function Line({ text, isFirst }: { readonly text: string; readonly isFirst: boolean }) {
  return (
    <>
      {isFirst ? null : '\n'}
      {splitAnsi(text).map((segment) => {
        const styling = segmentStyle(segment);
        if (styling === undefined) return segment.text;
        return (
          <span key={segment.start} className={styling.className} style={styling.style}>
            {segment.text}
          </span>
        );
      })}
    </>
  );
}
