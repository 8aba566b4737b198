import { formatTimestamp, parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type FormEvent, useState } from 'react';
import { wallTime } from '../console/state/zone-time.ts';
import type { ToolProps } from '../console/tools/slots.ts';
import { serverClock } from '../frame/server-clock.ts';
import { rangeFaultText } from '../messages/range.ts';
import { parseRange, type Range, wallToTimestamp } from './range-text.ts';
import { setRange } from './set-range.ts';

const CHOICES = [
  ['Newest lines', undefined],
  ['Last 5 min', '5m'],
  ['Last 15 min', '15m'],
  ['Last 30 min', '30m'],
  ['Last 1 h', '1h'],
  ['Last 2 h', '2h'],
  ['Last 6 h', '6h'],
  ['Last 24 h', '24h'],
] as const;

interface RangePanelProps {
  readonly tools: ToolProps;
  readonly close: () => void;
}

/** Common durations, free text, or two calendar times. Nothing changes until the input is valid. */
export function RangePanel({ tools, close }: RangePanelProps) {
  const { url, clock } = tools;
  const [fault, setFault] = useState<string | undefined>();
  const choose = (range: Range) => {
    setRange(tools, range);
    close();
  };
  const onType = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('range') ?? '');
    const result = parseRange(text, { clock, nowMs: serverClock.nowMs() });
    if ('fault' in result) setFault(rangeFaultText(result.fault));
    else choose(result.range);
  };
  return (
    <>
      <form onSubmit={onType}>
        <input
          className="panel-field mono"
          name="range"
          aria-label="Range"
          aria-invalid={fault !== undefined}
          aria-describedby="range-hint"
          placeholder="Duration, time, or two times"
          autoComplete="off"
          spellCheck={false}
          onChange={() => setFault(undefined)}
        />
        <p
          id="range-hint"
          className={`panel-note range-hint ${fault === undefined ? '' : 'fault'}`}
          role={fault === undefined ? undefined : 'alert'}
        >
          {fault ?? `e.g. 15m, 13:20, or 13:20 to 13:45 (${clock.name})`}
        </p>
      </form>
      <ul className="range-choices">
        {CHOICES.map(([name, last]) => {
          const isCurrent = url.last === last && url.from === undefined && url.to === undefined;
          return (
            <li key={name}>
              <button
                type="button"
                className="item"
                aria-current={isCurrent}
                onClick={() => choose(last === undefined ? {} : { last })}
              >
                {name}
              </button>
            </li>
          );
        })}
      </ul>
      <div className="panel-rule" />
      <Calendar tools={tools} choose={choose} />
    </>
  );
}

interface CalendarProps {
  readonly tools: ToolProps;
  readonly choose: (range: Range) => void;
}

/** The browser's own date and time fields, in the chosen time zone. */
function Calendar({ tools, choose }: CalendarProps) {
  const { url, clock, state } = tools;
  const [fault, setFault] = useState<string | undefined>();
  const fieldText = (text: string | undefined, seconds: number | undefined) => {
    const at = text === undefined ? undefined : parseTimestamp(text);
    const shown = at ?? (seconds === undefined ? undefined : { seconds, nanos: 0 });
    if (shown === undefined) return '';
    const { date, time } = wallTime(clock, shown);
    return `${date}T${time.slice(0, 8)}`;
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string) => {
      const text = String(form.get(name) ?? '');
      return text === '' ? undefined : wallToTimestamp(clock, text.length === 16 ? `${text}:00` : text);
    };
    const from = read('from');
    const to = read('to');
    if (from === undefined && to === undefined) setFault(rangeFaultText({ code: 'no-end' }));
    else if (from !== undefined && to !== undefined && to.seconds < from.seconds) {
      setFault(rangeFaultText({ code: 'end-first' }));
    } else {
      choose({
        ...(from === undefined ? {} : { from: formatTimestamp(from) }),
        ...(to === undefined ? {} : { to: formatTimestamp(to) }),
      });
    }
  };
  return (
    <form className="range-calendar" noValidate onSubmit={onSubmit} onChange={() => setFault(undefined)}>
      <label>
        From
        <input
          type="datetime-local"
          name="from"
          step={1}
          defaultValue={fieldText(url.from, state.status.oldestSeconds)}
        />
      </label>
      <label>
        To
        <input type="datetime-local" name="to" step={1} defaultValue={fieldText(url.to, undefined)} />
      </label>
      {fault === undefined ? null : (
        <p className="range-fault" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" className="button">
        Show
      </button>
    </form>
  );
}
