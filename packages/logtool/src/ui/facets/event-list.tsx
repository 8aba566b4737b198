import { legibleText } from '../ansi/plain-text.ts';
import type { ZoneClock } from '../console/state/zone-time.ts';
import type { ToolProps } from '../console/tools/slots.ts';
import type { FactsStatus } from '../worker/protocol/protocol.ts';
import { eventExtent } from './event-extent.ts';
import { FacetRow } from './facet-row.tsx';
import './event-list.css';

type Shown = 'none' | 'notable' | 'all';

const CHOICES: readonly { readonly shown: Shown; readonly name: string; readonly title: string }[] = [
  { shown: 'none', name: 'off', title: 'Hide events of the cluster' },
  {
    shown: 'notable',
    name: 'notable',
    title: 'Warnings, exits, restarts, rollouts and reboots of nodes',
  },
  { shown: 'all', name: 'all', title: 'All events, ordinary ones too' },
];

/** Maximum number of labels listed. */
const MAX_LABELS = 30;

/** Chooses which cluster events appear among the lines, and shows the count of each label. */
export function EventList({ state, url, setUrl, clock }: ToolProps) {
  const { facts } = state.status;
  const shown: Shown = url.events ?? 'notable';
  const muted = url.mute ?? [];
  const known = facts.labels.map(({ label }) => label);
  const gone = muted.filter((label) => !known.includes(label));
  const choose = (next: Shown) =>
    setUrl({ events: next === 'notable' ? undefined : next }, { replace: true });
  const toggle = (label: string) => {
    const rest = muted.filter((each) => each !== label);
    const next = rest.length === muted.length ? [...muted, label] : rest;
    setUrl({ mute: next.length === 0 ? undefined : next }, { replace: true });
  };
  if (url.src.length === 0) return null;
  return (
    <section aria-label="Events">
      <div className="event-head">
        <h2>Events</h2>
        <fieldset className="event-choice" aria-label="Events to show">
          {CHOICES.map(({ shown: each, name, title }) => (
            <button
              key={each}
              type="button"
              title={title}
              aria-pressed={shown === each}
              onClick={() => choose(each)}
            >
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      {shown === 'none' ? null : (
        <ul>
          {[
            ...facts.labels.slice(0, MAX_LABELS),
            ...gone.map((label) => ({ label, severity: 'normal', count: 0 })),
          ].map(({ label, severity, count }) => (
            <FacetRow
              key={label}
              facet="event"
              value={label}
              name={legibleText(label)}
              title={muted.includes(label) ? `Show ${legibleText(label)}` : `Hide ${legibleText(label)}`}
              glyph={<span className={`event-severity ${severity}`}>{SEVERITY_LETTERS[severity] ?? ''}</span>}
              count={count}
              noun="event"
              state={muted.includes(label) ? 'excluded' : undefined}
              onInclude={() => toggle(label)}
            />
          ))}
        </ul>
      )}
      <Extent facts={facts} clock={clock} />
    </section>
  );
}

const SEVERITY_LETTERS: Readonly<Record<string, string>> = { fatal: 'F', warning: 'W' };

/** Shows which events were read, and which could not be. */
function Extent({ facts, clock }: { readonly facts: FactsStatus; readonly clock: ZoneClock }) {
  return eventExtent(facts, clock).map((line) => (
    <p key={line} className="event-extent">
      {legibleText(line)}
    </p>
  ));
}
