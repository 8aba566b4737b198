import { useEffect, useState } from 'react';
import { keyWithoutValue } from '../../domain/search/search-query.ts';
import { legibleText } from '../ansi/plain-text.ts';
import { Icon } from '../app/chrome/icons.tsx';
import { focusLog } from '../console/scroll/focus-log.ts';
import { countHits, hitScanOf } from '../console/state/hit-count.ts';
import type { ToolProps } from '../console/tools/slots.ts';
import { hidesLines } from '../console/url/view-plan.ts';
import { loadedText, restText, scopeText, wholeText, withoutWaitingText } from '../messages/coverage.ts';
import { timeText } from '../messages/dated-time.ts';
import {
  keyWithoutValueText,
  missingFieldText,
  notSearchedText,
  searchFaultText,
} from '../messages/search.ts';
import { unlessGone } from '../worker/session/log-worker-client.ts';
import { SearchField } from './search-field.tsx';
import { SearchHelp } from './search-help.tsx';
import './search.css';

const TOGGLES = [
  { name: 'case', text: 'Aa', label: 'Match case' },
  { name: 'word', text: '\\b', label: 'Whole words' },
  { name: 'regex', text: '.*', label: 'Regular expression' },
  { name: 'only', text: 'Only', label: 'Matching lines only' },
] as const;

/** The search: its text, options and result. */
export function SearchBar(tools: ToolProps) {
  const { url, setUrl, state, session } = tools;
  const { error } = state.status.search;
  const find = (direction: 'next' | 'previous') => unlessGone(session.find('hit', direction));
  return (
    <search className="bar search-bar">
      <span aria-hidden="true" className="search-slash">
        /
      </span>
      <SearchField
        value={url.q ?? ''}
        isRegex={url.regex === true}
        error={error}
        onType={(q) => setUrl({ q: q === '' ? undefined : q }, { replace: true })}
        onAhead={(isAhead) => session.setTyping(isAhead)}
        onFind={find}
        onLeave={focusLog}
      />
      {error === undefined ? null : (
        <span id="search-fault" role="alert" className="search-fault">
          {searchFaultText(error)}
        </span>
      )}
      <FieldNote {...tools} />
      <Toggles {...tools} />
      <SearchHelp facets={state.facets} />
      <Around {...tools} />
      {(url.q ?? '').trim() === '' ? null : (
        <>
          <span className="rule" />
          <Hits {...tools} />
          {error === undefined ? (
            <>
              <ReadRest {...tools} />
              <FindButtons find={find} />
            </>
          ) : null}
        </>
      )}
    </search>
  );
}

/**
 * No line read has the searched field, or a field's name is searched as text. The search continues: other lines may
 * have the field, and the text may be meant.
 */
function FieldNote({ state: { status }, url }: ToolProps) {
  const { missingField, error } = status.search;
  const isRead = url.regex === true || error !== undefined;
  const key = isRead ? undefined : keyWithoutValue(url.q ?? '');
  return (
    <span role="status" aria-label="Field" className="search-fault">
      {missingField !== undefined
        ? legibleText(missingFieldText(missingField))
        : key === undefined
          ? null
          : legibleText(keyWithoutValueText(key))}
    </span>
  );
}

function Toggles({ url, setUrl }: ToolProps) {
  return (
    <fieldset className="search-toggles">
      <legend className="sr-only">How to search</legend>
      {TOGGLES.map(({ name, text, label }) => (
        <button
          key={name}
          type="button"
          className="toggle"
          title={label}
          aria-pressed={url[name] === true}
          onClick={() => setUrl({ [name]: url[name] === true ? undefined : true }, { replace: true })}
        >
          <span aria-hidden="true">{text}</span>
          <span className="sr-only">{label}</span>
        </button>
      ))}
    </fieldset>
  );
}

function FindButtons({ find }: { readonly find: (direction: 'next' | 'previous') => void }) {
  return (
    <>
      <button
        type="button"
        className="find-button"
        aria-label="Next hit (Enter)"
        onClick={() => find('next')}
      >
        <kbd>
          <Icon name="return" size={10} />
        </kbd>
      </button>
      <button
        type="button"
        className="find-button"
        aria-label="Previous hit (Shift Enter)"
        onClick={() => find('previous')}
      >
        <kbd>
          <span aria-hidden="true">⇧</span>
          <Icon name="return" size={10} />
        </kbd>
      </button>
    </>
  );
}

/** Shows how far the search has read, and which hit is the active line. */
function Hits({ state, clock, url }: ToolProps) {
  const { search } = state.status;
  const isReading = isStillReading(state);
  const total = countHits(state.status);
  const searchKey = JSON.stringify([url.q, url.case, url.word, url.regex, url.only]);
  // What was found belongs to its search, also if it is a hit of the next one.
  const isFound = state.found !== undefined && state.found === state.active;
  const ordinal = isFound && search.ordinal?.entry === state.found ? search.ordinal?.value : undefined;
  // The hit count grows with every line; do not announce each change.
  const isAnswered = useSettled(`${searchKey} ${ordinal}`, !isReading && search.state === 'done');
  if (state.isAnswered && search.error !== undefined) return <NotSearched isKept={search.state !== 'off'} />;
  return (
    <span
      className="hits"
      role="status"
      aria-label="Search"
      aria-live={isAnswered ? 'off' : 'polite'}
      aria-atomic="true"
      data-hits={total}
      data-search={isReading ? 'searching' : search.state}
    >
      {state.isAnswered ? (
        <HitCount tools={{ state, clock, url }} total={total} ordinal={ordinal} isReading={isReading} />
      ) : (
        'Searching…'
      )}
    </span>
  );
}

/** An invalid search has no hits. `isKept`: the log shows the hits of the previous search. */
function NotSearched({ isKept }: { readonly isKept: boolean }) {
  return (
    <span className="hits" role="status" aria-label="Search" data-search="faulty">
      {notSearchedText(isKept)}
    </span>
  );
}

interface HitCountProps {
  readonly tools: Pick<ToolProps, 'state' | 'clock' | 'url'>;
  readonly total: number;
  /** The number of the hit on the active line. */
  readonly ordinal: number | undefined;
  readonly isReading: boolean;
}

/** Shows the number of hits and the range they cover. */
function HitCount({ tools: { state, clock, url }, total, ordinal, isReading }: HitCountProps) {
  const { search } = state.status;
  const scan = hitScanOf(state.status);
  const hits = total.toLocaleString('en');
  const isScoped = scan?.hits !== undefined || scan?.loadedLines !== undefined;
  return (
    <>
      {search.searchedBackTo === undefined || isScoped ? null : (
        <span className="hits-back">
          <span className="hits-verb">searched </span>back to{' '}
          <b>{timeText(clock, search.searchedBackTo * 1_000)}</b> ·{' '}
        </span>
      )}
      {ordinal === undefined ? (
        <>
          <b>{hits}</b> {total === 1 ? 'hit' : 'hits'}
        </>
      ) : (
        <>
          <b>{ordinal.toLocaleString('en')}</b> of <b>{hits}</b>
        </>
      )}
      {isReading || scan?.state === 'reading' ? '…' : ''}
      <HitScope {...{ state, clock, url, isScoped }} />
    </>
  );
}

/** Shows what the number of hits covers. `isScoped`: a range was counted. */
function HitScope({
  state,
  clock,
  url,
  isScoped,
}: Pick<ToolProps, 'state' | 'clock' | 'url'> & { readonly isScoped: boolean }) {
  const { search, pausedLines } = state.status;
  const scan = hitScanOf(state.status);
  return (
    <>
      {isScoped && scan !== undefined ? (
        <span className="hits-scope"> {scopeText(scan, clock, Date.now())}</span>
      ) : search.searchedBackTo === undefined ? (
        <span className="hits-scope"> {heldHitsText(state, url)}</span>
      ) : null}
      {scan?.hits === undefined && pausedLines > 0 ? (
        <span className="hits-scope">{withoutWaitingText(pausedLines)}</span>
      ) : null}
    </>
  );
}

type HeldState = Pick<ToolProps['state'], 'status' | 'problems'>;

/** Describes what the number of hits covers if nothing was counted: `in all logs`, `in the 2,025 loaded lines`. */
export function heldHitsText(state: HeldState, url: ToolProps['url']): string {
  return holdsAll(state) ? wholeText(url, state.status) : loadedText(state.status.lines);
}

/** Whether every line of the view that can be read is loaded: both ends, and what is between them. */
function holdsAll({ status, problems }: HeldState): boolean {
  const { isWhole, atBeginning, atEnd, loading, connection, unanswered } = status;
  const isOpening = loading === 'opening' || connection.state === 'connecting';
  const isRead = isWhole && atBeginning && atEnd && unanswered === undefined;
  return isRead && !isOpening && problems.length === 0;
}

/** Whether the loaded lines are not fully searched, or nothing is loaded yet. */
function isStillReading({ status, isAnswered }: ToolProps['state']): boolean {
  const { search, loading, connection } = status;
  const isOpening = loading === 'opening' || connection.state === 'connecting';
  return !isAnswered || isOpening || search.state === 'searching';
}

/** Searches what has not been read yet. */
function ReadRest({ state, session }: ToolProps) {
  const { isWhole, atBeginning, oldestSeconds, search } = state.status;
  const scan = hitScanOf(state.status);
  // Of a chosen run, what came after it needs no search.
  const isSearched =
    isWhole || (atBeginning && oldestSeconds !== undefined && search.searchedBackTo === oldestSeconds);
  const text = scan === undefined ? (isSearched ? undefined : 'Search all logs') : restText(scan);
  if (text === undefined) return null;
  return (
    <button type="button" className="text-button" onClick={() => session.worker.send({ type: 'read-rest' })}>
      {text}
    </button>
  );
}

const ANSWERED_MS = 1_000;

/** Whether a user's request (`key`) was answered a moment ago: later changes are not its answer. */
function useSettled(key: string, isDone: boolean): boolean {
  const [settled, setSettled] = useState<string | undefined>();
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setSettled(key), ANSWERED_MS);
    return () => clearTimeout(timer);
  }, [key, isDone]);
  return settled === key;
}

/** Shows all lines around the active one while a filter hides some; the Back button is above the log. */
function Around({ state, session, url }: ToolProps) {
  if (!hidesLines(url) || state.active === undefined || state.around !== undefined) return null;
  return (
    <button type="button" className="text-button around" onClick={() => session.showAround(state.active)}>
      Show around
    </button>
  );
}
