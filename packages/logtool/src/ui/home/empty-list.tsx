import { type FormEvent, useId, useState } from 'react';
import { findNameFault } from '../../domain/names.ts';
import { CopyButton } from '../app/chrome/copy-button.tsx';
import { PageLink } from '../app/chrome/page-link.tsx';
import { homeHref } from '../shell/links.ts';
import { KIND_LABELS } from './sidebar.tsx';
import type { HomeUrl } from './url/home-url.ts';
import './empty-list.css';

interface EmptyListProps {
  readonly url: HomeUrl;
  /** The readable part of the cluster has no workloads at all. */
  readonly isClusterEmpty: boolean;
  readonly isDenied: boolean;
  readonly onOpenNamespace: (namespace: string) => void;
}

/** Explains why there are no rows, and what to do about it. */
export function EmptyList({ url, isClusterEmpty, isDenied, onOpenNamespace }: EmptyListProps) {
  if (isClusterEmpty && !isDenied) {
    return (
      <div className="empty" role="status">
        <h2>No workloads in {url.ctx ?? 'this cluster'}</h2>
        <p>Workloads appear here when you deploy something.</p>
        <p>
          To try logtool with a simulated shop, run <code>logtool demo</code>{' '}
          <CopyButton text="logtool demo" label="Copy" />
        </p>
      </div>
    );
  }
  if (isClusterEmpty) {
    return (
      <div className="empty" role="status">
        <h2>You lack permission to read anything here</h2>
        <p>The messages above name the missing permissions.</p>
        <OpenNamespace onOpen={onOpenNamespace} />
        <p>
          If you know a pod that you may read, press <kbd>Ctrl K</kbd>, then <code>namespace:pod</code>
        </p>
      </div>
    );
  }
  const kind = url.kind === undefined ? 'workloads' : KIND_LABELS[url.kind];
  const where = url.ns.length === 0 ? '' : ` in ${url.ns.join(', ')}`;
  return (
    <div className="empty" role="status">
      <h2>
        No {kind}
        {where}
        {url.q === '' ? '' : ` with “${url.q}”`}
      </h2>
      <p>
        <PageLink className="text-button" to={homeHref({ ...url, q: '', kind: undefined, ns: [] })}>
          Show all workloads
        </PageLink>
      </p>
    </div>
  );
}

/** Users who cannot list namespaces can still name one. */
function OpenNamespace({ onOpen }: { readonly onOpen: (namespace: string) => void }) {
  const [text, setText] = useState('');
  const id = useId();
  const name = text.trim();
  const isName = name !== '' && findNameFault(name, 'label') === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isName) onOpen(name);
  };
  return (
    <form className="open-namespace" onSubmit={submit}>
      <label htmlFor={id}>Open a namespace you may read</label>
      <input
        id={id}
        className="panel-field mono"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button" disabled={!isName}>
        Open
      </button>
    </form>
  );
}
