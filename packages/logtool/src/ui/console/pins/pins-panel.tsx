import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { useEffect, useMemo, useState } from 'react';
import { detectLevel } from '../../../domain/level.ts';
import { shownLine } from '../../../domain/structured/structure-line.ts';
import { legibleText, plainText } from '../../ansi/plain-text.ts';
import { copyText } from '../../app/chrome/copy-button.tsx';
import { Icon } from '../../app/chrome/icons.tsx';
import { countText } from '../../messages/count.ts';
import { pinText } from '../../messages/pins.ts';
import type { PinnedLine } from '../../worker/protocol/protocol.ts';
import { unlessGone } from '../../worker/session/log-worker-client.ts';
import { focusLog } from '../scroll/focus-log.ts';
import { isoTime, wallTime } from '../state/zone-time.ts';
import type { ToolProps } from '../tools/slots.ts';
import type { Pin } from '../url/console-url.ts';
import { addressOf, setNote, unpin } from './pin-change.ts';
import { pinsMarkdown } from './pins-markdown.ts';
import './pins-panel.css';

/** The pinned lines below the log, each with time, pod, line and note; a click goes to the line. */
export function PinsPanel({ tools }: { readonly tools: ToolProps }) {
  const { session, url } = tools;
  const pins = useMemo(() => sortedByTime(url.pins ?? []), [url.pins]);
  const lines = usePinnedLines(tools, pins);
  const close = () => {
    session.showPins(false);
    focusLog();
  };
  return (
    <section className="pins" aria-label="Pinned lines">
      <header className="pins-head">
        <h2>{countText(pins.length, 'pinned line')}</h2>
        {pins.length === 0 ? null : <CopyActions tools={tools} pins={pins} lines={lines} />}
        <button type="button" className="icon-button" aria-label="Close the pinned lines" onClick={close}>
          <Icon name="close" size={9} />
        </button>
      </header>
      {pins.length === 0 ? (
        <p className="pins-none">No pinned lines yet. Choose a line and press p.</p>
      ) : (
        <ul className="pin-list">
          {pins.map((pin) => (
            <PinRow key={pin.link} tools={tools} pin={pin} line={lines.get(pin.link)} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Sorts by link, because links begin with their times. */
function sortedByTime(pins: readonly Pin[]): readonly Pin[] {
  return [...pins].sort((a, b) => (a.link < b.link ? -1 : 1));
}

/** Reads the lines of the pins, once each, when the view is open. */
function usePinnedLines(
  { session, state }: ToolProps,
  pins: readonly Pin[],
): ReadonlyMap<string, PinnedLine> {
  const [lines, setLines] = useState<ReadonlyMap<string, PinnedLine>>(new Map());
  const isOpening = state.status.loading === 'opening';
  const wanted = pins.map(({ link }) => link).filter((link) => !lines.has(link));
  const key = wanted.join('\n');
  useEffect(() => {
    if (key === '' || isOpening) return;
    let isCurrent = true;
    const asked = session.worker.ask({ type: 'pins', links: key.split('\n') });
    unlessGone(
      asked.then((answer) => {
        if (isCurrent)
          setLines(
            (before) => new Map([...before, ...answer.lines.map((each) => [each.link, each] as const)]),
          );
      }),
    );
    return () => {
      isCurrent = false;
    };
  }, [session, key, isOpening]);
  return lines;
}

interface PinRowProps {
  readonly tools: ToolProps;
  readonly pin: Pin;
  /** Undefined: still loading. */
  readonly line: PinnedLine | undefined;
}

function PinRow({ tools, pin, line }: PinRowProps) {
  const { session, clock, url } = tools;
  const at = timeOf(pin.link);
  const show = () => {
    unlessGone(
      session.jump({ at: 'line', link: pin.link }, 'middle').then((found) => {
        session.setGoneLine(found ? undefined : pin.link);
        focusLog();
      }),
    );
  };
  const name = at === undefined ? 'line' : isoTime(clock, at);
  return (
    <li className="pin" data-pin={pin.link}>
      <button type="button" className="text-button pin-time" title={name} onClick={show}>
        {at === undefined ? 'Show' : wallTime(clock, at).time}
      </button>
      <span className="pin-pod">{line?.state === 'read' ? `${line.pod}/${line.container}` : ''}</span>
      {line?.state === 'read' ? (
        <code className="pin-line">
          {legibleText(textOf(line.text, url.raw === true).slice(0, MAX_SHOWN))}
        </code>
      ) : (
        <span className="pin-line lost">{pinText(line?.state)}</span>
      )}
      <input
        className="panel-field pin-note"
        aria-label={`Note on the line of ${name}`}
        placeholder="Note"
        defaultValue={pin.note}
        maxLength={300}
        onBlur={(event) => event.target.value !== pin.note && setNote(tools, pin.link, event.target.value)}
        onKeyDown={(event) => (event.key === 'Enter' || event.key === 'Escape') && event.currentTarget.blur()}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={`Unpin the line of ${name}`}
        onClick={() => unpin(tools, pin.link)}
      >
        <Icon name="close" size={9} />
      </button>
    </li>
  );
}

/** Returns a line as the rows of the log show it: the message first, unless they show lines as written. */
function textOf(text: string, isRaw: boolean): string {
  const plain = plainText(text);
  return isRaw ? plain : shownLine(plain, detectLevel(encoder.encode(plain)));
}

const encoder = new TextEncoder();

/** No screen is wider. */
const MAX_SHOWN = 500;

interface CopyActionsProps {
  readonly tools: ToolProps;
  readonly pins: readonly Pin[];
  readonly lines: ReadonlyMap<string, PinnedLine>;
}

function CopyActions({ tools, pins, lines }: CopyActionsProps) {
  const { session, url, clock } = tools;
  const { line: _line, last, ...base } = url;
  const view = last === undefined ? base : { ...base, last };
  const { pins: _pins, ...unpinned } = base;
  const put = (text: string, done: Parameters<typeof session.notify>[0]) => {
    copyText(text).then(
      () => session.notify(done),
      () => session.notify({ code: 'clipboard-blocked' }),
    );
  };
  const markdown = () => {
    if (pins.some(({ link }) => !lines.has(link))) return session.notify({ code: 'still-loading' });
    const entries = pins.map(({ link, note }) => {
      const at = timeOf(link);
      const address = addressOf({ ...unpinned, line: link, follow: false });
      return { line: lines.get(link)!, note, at: at && isoTime(clock, at), address };
    });
    put(pinsMarkdown(entries, addressOf(view)), { code: 'copied', lines: pins.length });
  };
  return (
    <>
      <button
        type="button"
        className="text-button"
        onClick={() => put(addressOf(view), { code: 'pins-link-copied' })}
      >
        Copy link
      </button>
      <button type="button" className="text-button" onClick={markdown}>
        Copy as Markdown
      </button>
    </>
  );
}

function timeOf(link: string) {
  return parseTimestamp(link.slice(0, link.indexOf('~')));
}
