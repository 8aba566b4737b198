import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ariaChord, commandOf } from '../keys/chord.ts';
import { consoleChord, SEARCH_KEYS } from '../keys/log-keys.ts';
import { searchTokens, splitAtFault } from './search-tokens.ts';

interface SearchFieldProps {
  readonly value: string;
  readonly isRegex: boolean;
  readonly error: { readonly index: number } | undefined;
  readonly onType: (text: string) => void;
  /** Reports whether the typed text is ahead of the text passed on. */
  readonly onAhead: (isAhead: boolean) => void;
  readonly onFind: (direction: 'next' | 'previous') => void;
  readonly onLeave: () => void;
}

/** Typing is passed on after a pause of this length: matching must start within 200 ms. */
const REST_MS = 80;

/** A text field with colored text: the colors are a layer below the field, whose own text is transparent. */
export function SearchField({ value, isRegex, error, onType, onAhead, onFind, onLeave }: SearchFieldProps) {
  const [scrolledPx, setScrolledPx] = useState(0);
  const { text, change, settle } = useTyping(value, onType);
  const isAhead = text !== value;
  const latest = useRef(onAhead);
  useEffect(() => {
    latest.current = onAhead;
  });
  useEffect(() => latest.current(isAhead), [isAhead]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const command = event.nativeEvent.isComposing ? undefined : commandOf(SEARCH_KEYS, event);
    if (command === undefined) return;
    settle();
    if (command === 'leave') onLeave();
    else onFind(command);
    event.preventDefault();
  };
  const isFaulty = error !== undefined && text === value;
  // A faulty term's message gives its position.
  const fault = isRegex && isFaulty ? error : undefined;
  return (
    <span className="search-field">
      <span className="search-colors" aria-hidden="true">
        <span style={{ transform: `translateX(${-scrolledPx}px)` }}>
          {fault === undefined ? (
            <Tokens text={text} isRegex={isRegex} />
          ) : (
            <Faulty text={text} at={fault.index} />
          )}
        </span>
      </span>
      <input
        data-search-field
        type="search"
        aria-label="Search in the logs"
        aria-keyshortcuts={ariaChord(consoleChord('search'))}
        aria-invalid={isFaulty}
        aria-describedby={isFaulty ? 'search-fault' : undefined}
        placeholder="Search: words, -without, @level:error, @field:value"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={2_000}
        value={text}
        onChange={(event) => change(event.target.value)}
        onBlur={settle}
        onKeyDown={onKeyDown}
        onScroll={(event) => setScrolledPx(event.currentTarget.scrollLeft)}
      />
    </span>
  );
}

interface Typing {
  /** The text as typed: ahead of the text passed on. */
  readonly text: string;
  readonly change: (text: string) => void;
  /** Passes on the typed text now. */
  readonly settle: () => void;
}

/** Holds the text of a field, and passes it on when typing pauses. */
function useTyping(value: string, onType: (text: string) => void): Typing {
  const [text, setText] = useState(value);
  const passed = useRef(value);
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // The address changed in another way: Back, a link, "Show all lines".
    if (value === passed.current) return;
    passed.current = value;
    clearTimeout(rest.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(rest.current), []);
  const pass = (next: string) => {
    clearTimeout(rest.current);
    if (next === passed.current) return;
    passed.current = next;
    onType(next);
  };
  const change = (next: string) => {
    setText(next);
    clearTimeout(rest.current);
    rest.current = setTimeout(() => pass(next), REST_MS);
  };
  return { text, change, settle: () => pass(text) };
}

function Tokens({ text, isRegex }: { readonly text: string; readonly isRegex: boolean }) {
  if (isRegex) return text;
  return searchTokens(text).map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
    <span key={index} className={`q-${token.kind}`}>
      {token.text}
    </span>
  ));
}

function Faulty({ text, at }: { readonly text: string; readonly at: number }) {
  const [before, wrong, after] = splitAtFault(text, at);
  return (
    <>
      {before}
      <span className="q-fault" data-fault={at}>
        {wrong === '' ? '\u00a0' : wrong}
      </span>
      {after}
    </>
  );
}
