import type { ReactNode } from 'react';
import { PageLink } from '../../../app/chrome/page-link.tsx';
import { formatSearch } from '../../../frame/search-params.ts';
import { conditionText } from '../../../messages/condition.ts';
import { restText } from '../../../messages/coverage.ts';
import { emptyText } from '../../../messages/empty-log.ts';
import { olderFilesText } from '../../../messages/log-edges.ts';
import { useShell } from '../../../shell/shell-context.ts';
import type { ViewSource } from '../../../worker/protocol/protocol.ts';
import { unlessGone } from '../../../worker/session/log-worker-client.ts';
import { useTrouble } from '../../session/use-trouble.ts';
import { type Emptiness, emptinessOf } from '../../state/emptiness.ts';
import { nodesToOffer } from '../../state/standing.ts';
import type { ToolProps } from '../../tools/slots.ts';
import type { ConsoleUrl } from '../../url/console-url.ts';
import { writeConsoleUrl } from '../../url/read-console-url.ts';
import './empty-log.css';

interface EmptyMessageProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly children?: React.ReactNode;
}

/** Explains why a log is empty, and offers what to do about it. */
export function EmptyLog({ tools }: { readonly tools: ToolProps }): ReactNode {
  const { state, session, url, setUrl, clock } = tools;
  const emptiness = emptinessOf(tools, useTrouble(state));
  switch (emptiness.kind) {
    case 'no-context':
      return <NoContext url={url} />;
    case 'opening':
    case 'filtering':
      return (
        <div className="empty-log" aria-busy="true">
          <p>{emptyText(emptiness, clock, Date.now()).title}</p>
        </div>
      );
    case 'filtered':
      return (
        <EmptyMessage {...emptyText(emptiness, clock, Date.now())}>
          <Unread emptiness={emptiness} session={session} />
          <Button text="Show all lines" run={() => setUrl(NO_FILTER)} />
        </EmptyMessage>
      );
    case 'all-failed':
      return (
        <EmptyMessage {...emptyText(emptiness, clock, Date.now())}>
          <Button text="Try again" run={() => location.reload()} />
        </EmptyMessage>
      );
    case 'no-line':
      return (
        <EmptyMessage {...emptyText(emptiness, clock, Date.now())}>
          <Waiting containers={emptiness.waiting} />
          <OlderFiles tools={tools} />
        </EmptyMessage>
      );
    case 'no-source':
    case 'bad-search':
    case 'trouble':
    case 'unanswered':
    case 'forbidden':
    case 'no-container':
      return <EmptyMessage {...emptyText(emptiness, clock, Date.now())} />;
  }
}

interface UnreadProps {
  readonly emptiness: Extract<Emptiness, { readonly kind: 'filtered' }>;
  readonly session: ToolProps['session'];
}

/** Matching lines that are not loaded, or the part that was not searched yet. */
function Unread({ emptiness: { scan, isAll, runSearch }, session }: UnreadProps) {
  const text = scan === undefined ? 'Search all logs' : restText(scan);
  return (
    <>
      {(scan?.lines ?? 0) === 0 ? null : (
        <Button text="Show the newest of them" run={() => unlessGone(session.showNewest())} />
      )}
      {isAll || text === undefined || runSearch === 'none' ? null : (
        <Button text={text} run={() => session.worker.send({ type: 'read-rest' })} />
      )}
    </>
  );
}

/** Offers to read the log files that nodes rotated away, if the range lies before a log. */
function OlderFiles({ tools }: { readonly tools: ToolProps }) {
  const nodes = nodesToOffer(tools);
  if (nodes.length === 0) return null;
  return <Button text={olderFilesText(nodes)} run={() => tools.setUrl({ rotated: true })} />;
}

const NO_FILTER = {
  inc: undefined,
  exc: undefined,
  fields: undefined,
  only: undefined,
  q: undefined,
} as const;

function Button({ text, run }: { readonly text: string; readonly run: () => void }) {
  return (
    <button type="button" className="button" onClick={run}>
      {text}
    </button>
  );
}

const MAX_NAMED = 10;

/** Containers whose lines may still arrive, and what they wait for. */
function Waiting({ containers }: { readonly containers: readonly ViewSource[] }) {
  if (containers.length === 0) return null;
  return (
    <ul>
      {containers.slice(0, MAX_NAMED).map((source) => (
        <li key={source.id}>
          <b>
            {source.pod}/{source.container}
          </b>{' '}
          {conditionText(source.condition)}
        </li>
      ))}
    </ul>
  );
}

/** The link has no context, or an unknown one: lists the known contexts, each with the same sources. */
function NoContext({ url }: { readonly url: ConsoleUrl }) {
  const { contexts } = useShell();
  const all = contexts?.contexts ?? [];
  const title = url.ctx === '' ? 'This link names no context' : `There is no context ${url.ctx}`;
  const text =
    contexts === undefined
      ? undefined
      : all.length === 0
        ? 'The kubeconfig has no context. New contexts appear here.'
        : 'Open the same sources in one of these:';
  return (
    <EmptyMessage title={title} text={text}>
      <ul>
        {all.map(({ name }) => (
          <li key={name}>
            <PageLink
              className="text-button"
              to={`/console${formatSearch(writeConsoleUrl({ ...url, ctx: name }))}`}
            >
              {name}
            </PageLink>
          </li>
        ))}
      </ul>
    </EmptyMessage>
  );
}

/** A message in place of lines. */
function EmptyMessage({ title, text, children }: EmptyMessageProps) {
  return (
    <div className="empty-log" data-empty>
      <h2>{title}</h2>
      {text === undefined ? null : <p>{text}</p>}
      {children}
    </div>
  );
}
