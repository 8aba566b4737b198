import { Fragment, memo } from 'react';
import type { Workload } from '../../../contract/workload.ts';
import { Checkbox } from '../../app/chrome/checkbox.tsx';
import { PageLink } from '../../app/chrome/page-link.tsx';
import { localTimeText } from '../../messages/local-time.ts';
import { consoleHref } from '../../shell/links.ts';
import { highlights, kindTerms } from '../list/search.ts';
import { sourceArgument } from '../list/source-argument.ts';
import { Age, formatBytes, NextRun } from './ages.tsx';
import { Sparkline } from './sparkline.tsx';

interface WorkloadRowProps {
  readonly workload: Workload;
  readonly context: string;
  readonly terms: readonly string[];
  /** Row 1 is the header. */
  readonly rowNumber: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isGone: boolean;
  readonly hasAgent: boolean;
  readonly onToggle: (source: string) => void;
}

/** One workload. Its name is a link that covers the row; only one row of the list is in the tab order. */
export const WorkloadRow = memo(function WorkloadRow(props: WorkloadRowProps) {
  const { workload, context, terms, rowNumber, isSelected, isActive, isGone, hasAgent, onToggle } = props;
  const source = sourceArgument(workload);
  const isPartial = workload.isPartial === true;
  const tabIndex = isActive ? 0 : -1;
  const className = `row${isSelected ? ' selected' : ''}${isActive ? ' active' : ''}${isGone ? ' gone' : ''}`;
  return (
    <tr
      className={className}
      aria-rowindex={rowNumber}
      data-id={workload.id}
      data-source={source}
      data-gone={isGone || undefined}
    >
      <td className="c-box">
        <Checkbox
          state={isSelected ? 'all' : 'none'}
          tabIndex={tabIndex}
          aria-label={`Select ${workload.name}`}
          onChange={() => onToggle(source)}
        />
      </td>
      <NameCell
        workload={workload}
        terms={terms}
        to={isGone ? undefined : consoleHref(context, [source])}
        tabIndex={tabIndex}
      />
      <td className="c-namespace dim" title={workload.namespace}>
        <Marked text={workload.namespace} terms={terms} />
      </td>
      <td className="c-kind dim">
        <Marked text={workload.kindName} terms={kindTerms(workload.kindName, terms)} />
      </td>
      <td className="c-pods">
        {isGone ? <span className="dim">gone</span> : isPartial ? <NotYet /> : <Pods workload={workload} />}
      </td>
      <td className="c-restarts">{isPartial ? null : <Restarts workload={workload} />}</td>
      <td className="c-event">
        <LastEvent workload={workload} />
      </td>
      {hasAgent ? <AgentCells agent={workload.agent} /> : null}
    </tr>
  );
});

interface NameCellProps {
  readonly workload: Workload;
  readonly terms: readonly string[];
  /** Undefined: the workload is gone. */
  readonly to: string | undefined;
  readonly tabIndex: number;
}

function NameCell({ workload: { name, namespace, kindName }, terms, to, tabIndex }: NameCellProps) {
  return (
    <td className="c-name">
      <PageLink className="row-link" to={to} tabIndex={tabIndex} title={name}>
        <Marked text={name} terms={terms} />
      </PageLink>
      <span className="narrow-facts">
        {namespace} · {kindName}
      </span>
    </td>
  );
}

/** The list is complete, but logtool is still reading the pods of a large cluster. */
function NotYet() {
  return (
    <span className="dim" title="Reading pods">
      …
    </span>
  );
}

/** Whether a Job has finished: the number of ready pods then means nothing. */
function isDone({ status, isFailing }: Workload): boolean {
  return status === 'done' && !isFailing;
}

/** Shows how many pods are ready, or that the Job has finished. */
function Pods({ workload }: { readonly workload: Workload }) {
  const { kind, podsReady, podsTotal, status, isFailing } = workload;
  if (isDone(workload)) return status;
  const text = `${podsReady}/${podsTotal}`;
  const runsToEnd = kind === 'jobs' || kind === 'cronjobs';
  const isBad = isFailing || (podsReady < podsTotal && !runsToEnd);
  return <span className={isBad ? 'bad' : undefined}>{text}</span>;
}

function Restarts({ workload }: { readonly workload: Workload }) {
  const { restarts, lastRestartAt, lastExit, status, isFailing, nextRunAt } = workload;
  const items = [];
  if (restarts > 0) {
    const text = `${restarts.toLocaleString('en')} restart${restarts === 1 ? '' : 's'}`;
    const title =
      lastRestartAt === undefined
        ? undefined
        : `The last one ${localTimeText(Date.parse(lastRestartAt))}${exitNote(lastExit)}`;
    items.push(
      <span key="restarts" className={isFailing ? 'bad' : 'dim'} title={title}>
        {text}
      </span>,
    );
  }
  if (status !== undefined && !isDone(workload)) {
    items.push(
      <span key="status" className={isFailing ? 'bad' : 'dim'} title={status}>
        {status}
      </span>,
    );
  }
  if (nextRunAt !== undefined) {
    items.push(
      <span key="next" className="dim">
        <NextRun at={nextRunAt} />
      </span>,
    );
  }
  return <span className="row-facts">{items}</span>;
}

/** Returns `: OOMKilled, exit 137`. */
function exitNote(exit: Workload['lastExit']): string {
  return exit === undefined ? '' : `: ${exit.reason ?? 'ended'}, exit ${exit.exitCode}`;
}

function LastEvent({ workload: { lastEvent } }: { readonly workload: Workload }) {
  if (lastEvent === undefined) return null;
  return (
    <span className={`event ${lastEvent.isWarning ? 'warn-text' : 'dim'}`} title={lastEvent.message}>
      <span>{lastEvent.reason}</span>
      <span>
        · <Age at={lastEvent.at} />
      </span>
    </span>
  );
}

function AgentCells({ agent }: { readonly agent: Workload['agent'] }) {
  return (
    <>
      <td className="c-activity">
        {agent === undefined ? null : <Sparkline lines={agent.lines} errors={agent.errors} />}
      </td>
      <td className="c-size num dim">{agent === undefined ? null : formatBytes(agent.sizeBytes)}</td>
      <td className="c-line num dim">
        {agent?.lastLineAt === undefined ? null : <Age at={agent.lastLineAt} />}
      </td>
    </>
  );
}

/** A text with search matches highlighted. */
function Marked({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) {
  if (terms.length === 0) return text;
  const segments = highlights(text, terms);
  if (segments.length === 0) return text;
  return (
    <>
      {segments.map(([start, end], index) => (
        <Fragment key={start}>
          {text.slice(segments[index - 1]?.[1] ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(segments.at(-1)?.[1])}
    </>
  );
}
