import type { NamespaceList } from '../../contract/cluster.ts';
import { useShell } from '../app/shell-context.ts';
import { Denials } from './denials.tsx';
import { placesOf } from './denied-places.ts';
import { EmptyList } from './empty-list.tsx';
import type { HomeUrl } from './home-url.ts';
import { Skeleton } from './skeleton.tsx';
import { TroubleLine, TroublePage } from './trouble.tsx';
import type { WorkloadList } from './workload-store.ts';
import { WorkloadTable, type WorkloadTableProps } from './workload-table.tsx';

interface HomeListProps extends Omit<WorkloadTableProps, 'context' | 'sort' | 'isDescending'> {
  readonly context: string | undefined;
  readonly list: WorkloadList;
  readonly namespaces: NamespaceList | undefined;
  readonly url: HomeUrl;
  readonly onUpdate: () => void;
  readonly onRetry: () => void;
}

/** The middle of the page: the list, or why there is none. */
export function HomeList(props: HomeListProps) {
  const { list, held, url } = props;
  const { feed } = list;
  const isTrouble = feed.state === 'retrying' || feed.state === 'failed';
  return (
    <main className="list">
      <h1 className="sr-only">Workloads{props.context === undefined ? '' : ` of ${props.context}`}</h1>
      <Denials denied={list.denied} namespaces={props.namespaces} />
      {isTrouble && (list.isComplete || held.rows.length > 0) ? (
        <TroubleLine feed={feed} onRetry={props.onRetry} />
      ) : null}
      {held.added === 0 && held.gone === 0 ? null : (
        <p className="held-note">
          {[held.added > 0 ? `${held.added} new` : '', held.gone > 0 ? `${held.gone} gone` : '']
            .filter(Boolean)
            .join(', ')}
          <button type="button" className="text-button" onClick={props.onUpdate}>
            Update the list
          </button>
        </p>
      )}
      <Middle {...props} isFiltered={url.q !== '' || url.kind !== undefined || url.ns.length > 0} />
    </main>
  );
}

function Middle({ isFiltered, ...props }: HomeListProps & { readonly isFiltered: boolean }) {
  const { contextsError, contexts, reloadContexts } = useShell();
  const { list, held, context, url } = props;
  const { feed } = list;
  if (context === undefined && contexts === undefined && contextsError !== undefined) {
    return <TroublePage feed={{ state: 'failed', error: contextsError }} onRetry={reloadContexts} />;
  }
  if (context === undefined && contexts !== undefined) {
    const error = contexts.error ?? {
      code: 'no-context',
      what: 'There is no cluster to show',
      why: 'The kubeconfig has no context.',
      next: 'Add one with `kubectl config`, or run `logtool demo`; this page sees it at once.',
    };
    return <TroublePage feed={{ state: 'failed', error }} onRetry={reloadContexts} />;
  }
  if (held.rows.length > 0 && context !== undefined)
    return <WorkloadTable {...props} context={context} sort={url.sort} isDescending={url.isDescending} />;
  if (!list.isComplete && (feed.state === 'retrying' || feed.state === 'failed')) {
    return <TroublePage feed={feed} onRetry={props.onRetry} />;
  }
  if (!list.isComplete) return <Skeleton hasAgent={props.hasAgent} saysAgent={props.saysAgent} />;
  const isDenied = placesOf(list.denied).some(({ hides }) => hides !== 'events');
  return (
    <EmptyList
      url={url}
      isClusterEmpty={list.workloads.size === 0 && (!isFiltered || !isDenied)}
      isDenied={isDenied}
    />
  );
}
