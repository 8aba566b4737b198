import { useSyncExternalStore } from 'react';
import type { WorkloadKind } from '../../contract/workload.ts';
import { WORKLOAD_KINDS } from '../../contract/workload-kinds.ts';
import { unknownCodeText } from '../../messages/unknown-code.ts';
import { PageLink } from '../app/chrome/page-link.tsx';
import { onViewsChange, storedViews } from '../frame/stored-views.ts';
import { localTimeText } from '../messages/local-time.ts';
import { sentence } from '../messages/sentence.ts';
import { homeHref } from '../shell/links.ts';
import type { Counts } from './list/filter.ts';
import type { HomeUrl } from './url/home-url.ts';
import './sidebar.css';

export const KIND_LABELS: { readonly [K in WorkloadKind]: string } = {
  deployments: 'Deployments',
  statefulsets: 'StatefulSets',
  daemonsets: 'DaemonSets',
  jobs: 'Jobs',
  cronjobs: 'CronJobs',
  replicasets: 'ReplicaSets',
  pods: 'Pods',
};

interface SidebarProps {
  readonly url: HomeUrl;
  /** Undefined: unknown yet; `unknown`: nothing may be read. */
  readonly counts: Counts | 'unknown' | undefined;
  readonly onGo?: () => void;
}

/** Kinds with their counts, and recent views. */
export function Sidebar({ url, counts: known, onGo }: SidebarProps) {
  const counts = known === 'unknown' ? undefined : known;
  const recent = useSyncExternalStore(onViewsChange, () => storedViews('recent'));
  const kinds = [undefined, ...WORKLOAD_KINDS];
  return (
    <nav className="side" aria-label="Workloads">
      <h2>Workloads</h2>
      <ul>
        {kinds.map((kind) => {
          const count = kind === undefined ? counts?.all : counts?.kinds[kind];
          return (
            <li key={kind ?? 'all'}>
              <PageLink
                className="side-item"
                to={homeHref({ ...url, kind })}
                aria-current={url.kind === kind ? 'page' : undefined}
                data-kind={kind ?? 'all'}
                data-zero={count === 0 || undefined}
                onClick={onGo}
              >
                {kind === undefined ? 'All' : KIND_LABELS[kind]}
                <span className="count">
                  {known === undefined ? <span className="bone short" /> : count?.toLocaleString('en')}
                </span>
              </PageLink>
            </li>
          );
        })}
        {[...(counts?.newerKinds ?? [])].map(([kind, count]) => (
          // The address cannot name such a kind, so the entry is no link.
          <li key={kind}>
            <span className="side-item" title={sentence(unknownCodeText(kind))} data-kind={kind}>
              {kind}
              <span className="count">{count.toLocaleString('en')}</span>
            </span>
          </li>
        ))}
      </ul>
      {recent.length === 0 ? null : (
        <>
          <h2>Recent</h2>
          <ul>
            {recent.map((view) => (
              <li key={view.href}>
                <PageLink className="side-item" to={view.href} title={view.name}>
                  <span className="item-name">{view.name}</span>
                  <span className="count">{formatWhen(view.atMs)}</span>
                </PageLink>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  );
}

/** Returns the time if it is today, else the date. */
function formatWhen(atMs: number): string | undefined {
  const [date, time = ''] = localTimeText(atMs).split(' ');
  const [today] = localTimeText(Date.now()).split(' ');
  return date === today ? time.slice(0, 5) : date;
}
