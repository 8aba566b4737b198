import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { focusLog } from '../console/scroll/focus-log.ts';
import type { FacetState } from '../console/tools/facet-change.ts';

interface FacetRowProps {
  readonly facet: string;
  readonly value: string;
  readonly name: string;
  /** Shown in place of the name. */
  readonly label?: ReactNode;
  readonly title?: string;
  readonly glyph?: ReactNode;
  readonly count: number;
  /** The count does not cover every line of its range. */
  readonly isPartial?: boolean;
  readonly state: FacetState;
  /** What the count counts, in the singular. */
  readonly noun?: string;
  /** The count covers only a sample. */
  readonly isSample?: boolean;
  readonly isGone?: boolean;
  /** Absent: the value cannot be excluded. */
  readonly onExclude?: () => void;
  readonly onInclude: () => void;
}

/** After a click the focus moves to the log, which uses Space, Home and End; keyboard users stay here. */
function leaveToLog({ detail }: MouseEvent): void {
  if (detail > 0) focusLog();
}

/** Describes the count for screen readers. */
export function countedText(
  props: Pick<FacetRowProps, 'count' | 'isPartial' | 'noun' | 'isSample' | 'state'>,
): string {
  const { count, isPartial = false, noun = 'line', isSample = false, state } = props;
  const counted = count === 1 && !isPartial ? noun : `${noun}s`;
  const whole = `${isPartial ? ' or more' : ''} ${counted}${isSample ? ' of the sample' : ''}`;
  return `${whole}${state === 'excluded' ? ', excluded' : ''}`;
}

/** One value: a click includes it; Alt+click, or the button on its right, excludes it. */
export function FacetRow(props: FacetRowProps) {
  const { name, count, isPartial, state, onInclude, onExclude } = props;
  const chars = count.toLocaleString('en').length + (isPartial === true ? 1 : 0);
  const onClick = (event: MouseEvent) => {
    if (event.altKey && onExclude !== undefined) onExclude();
    else onInclude();
    leaveToLog(event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (onExclude === undefined) return;
    const isAltEnter = event.key === 'Enter' && event.altKey;
    if (!isAltEnter && event.key !== 'Delete' && event.key !== '-') return;
    event.preventDefault();
    onExclude();
  };
  return (
    <li
      className={`facet ${state ?? ''} ${props.isGone === true ? 'gone' : ''}`}
      data-facet={props.facet}
      data-value={props.value}
      style={{ '--chars': chars } as CSSProperties}
    >
      <button
        type="button"
        className="facet-value"
        aria-pressed={state === 'included'}
        title={props.title}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <span className="facet-glyph" aria-hidden="true">
          {props.glyph}
        </span>
        <span className="facet-name">{props.label ?? name}</span>
        <span className="facet-count">
          {/* Screen readers get the sign in words. */}
          {count.toLocaleString('en')}
          {isPartial === true ? <span aria-hidden="true">+</span> : null}
          <span className="sr-only">{countedText(props)}</span>
        </span>
      </button>
      {onExclude === undefined ? null : (
        <button
          type="button"
          className="facet-exclude"
          tabIndex={-1}
          aria-label={`Exclude ${name}`}
          title="Exclude (Alt+click)"
          aria-pressed={state === 'excluded'}
          onClick={(event) => {
            onExclude();
            leaveToLog(event);
          }}
        >
          −
        </button>
      )}
    </li>
  );
}
