import { useMemo } from 'react';
import type { NamespaceList } from '../../contract/cluster.ts';
import { useShell } from '../shell/shell-context.ts';
import { Denials } from './denials.tsx';
import { EmptyList } from './empty-list.tsx';
import { hiddenNamespaces, scopesOf } from './feed/denied-scopes.ts';
import type { WorkloadList } from './feed/workload-store.ts';
import { searchTerms } from './list/search.ts';
import type { Rows } from './list/use-rows.ts';
import { Skeleton } from './table/skeleton.tsx';
import { WorkloadTable, type WorkloadTableProps } from './table/workload-table.tsx';
import { Triage } from './triage/triage.tsx';
import { TriageRoom } from './triage/triage-room.tsx';
import { TroubleLine, TroublePage } from './trouble.tsx';
import './home-list.css';
import { pageError } from '../messages/page.ts';

interface HomeListProps extends Omit<WorkloadTableProps, 'context' | 'held' | 'terms'> {
  readonly context: string | undefined;
  readonly list: WorkloadList;
  readonly rows: Rows;
  /** The pointer or the focus is on the rows. */
  readonly isHeld: boolean;
  readonly namespaces: NamespaceList | undefined;
  /** Namespaces requested by name; empty: all. */
  readonly asked: readonly string[];
  readonly onRetry: () => void;
  readonly onOpenNamespace: (namespace: string) => void;
}

/** The middle of the page: the list, or why it is empty. */
export function HomeList(props: HomeListProps) {
  const { list, rows } = props;
  const { held } = rows;
  const { feed } = list;
  const isTrouble = feed.state === 'retrying' || feed.state === 'failed';
  return (
    <main className="list">
      <h1 className="sr-only">Workloads{props.context === undefined ? '' : ` of ${props.context}`}</h1>
      <Denials
        denied={list.denied}
        namespaces={props.namespaces}
        named={list.isComplete ? props.asked : []}
      />
      {isTrouble && (list.isComplete || held.rows.length > 0) ? (
        <TroubleLine feed={feed} onRetry={props.onRetry} />
      ) : null}
      {held.added === 0 && held.gone === 0 ? null : (
        <p className="held-note">
          {[held.added > 0 ? `${held.added} new` : '', held.gone > 0 ? `${held.gone} gone` : '']
            .filter(Boolean)
            .join(', ')}
          <button type="button" className="text-button" onClick={rows.update}>
            Update the list
          </button>
        </p>
      )}
      <Attention {...props} isTrouble={isTrouble} />
      <Middle {...props} />
    </main>
  );
}

interface AttentionProps extends HomeListProps {
  readonly isTrouble: boolean;
}

/** The problems of the workloads; a placeholder until they are known. */
function Attention({ context, url, list, isHeld, isTrouble }: AttentionProps) {
  if (context !== undefined && list.isComplete)
    return <Triage context={context} url={url} list={list} isHeld={isHeld} />;
  return isTrouble ? null : <TriageRoom context={context} />;
}

function Middle(props: HomeListProps) {
  const { contextsError, contexts, reloadContexts } = useShell();
  const { list, rows, context, url } = props;
  const { feed } = list;
  const terms = useMemo(() => searchTerms(url.q), [url.q]);
  if (context === undefined && contexts === undefined && contextsError !== undefined) {
    return <TroublePage feed={{ state: 'failed', error: contextsError }} onRetry={reloadContexts} />;
  }
  if (context === undefined && contexts !== undefined) {
    const error = contexts.error ?? pageError('no-context', {});
    return <TroublePage feed={{ state: 'failed', error }} onRetry={reloadContexts} />;
  }
  if (rows.held.rows.length > 0 && context !== undefined)
    return <WorkloadTable {...props} context={context} held={rows.held} terms={terms} />;
  if (!list.isComplete && (feed.state === 'retrying' || feed.state === 'failed')) {
    return <TroublePage feed={feed} onRetry={props.onRetry} />;
  }
  if (!list.isComplete) return <Skeleton hasAgent={props.hasAgent} />;
  return <NoRows {...props} />;
}

/** Explains why the list is empty although everything readable has arrived. */
function NoRows({ url, list, onOpenNamespace }: HomeListProps) {
  const isFiltered = url.q !== '' || url.kind !== undefined || url.ns.length > 0;
  const isDenied = scopesOf(list.denied).some(({ hides }) => hides !== 'events');
  const hidden = hiddenNamespaces(list.denied);
  const isHidden = url.ns.length > 0 && url.ns.every((name) => hidden.includes(name));
  return (
    <EmptyList
      url={url}
      isClusterEmpty={isHidden || (list.workloads.size === 0 && (!isFiltered || !isDenied))}
      isDenied={isDenied}
      onOpenNamespace={onOpenNamespace}
    />
  );
}
