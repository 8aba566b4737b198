import { useLocation } from '@tanstack/react-router';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { onViewsChange, removeView, storedViews, storeView } from '../../frame/stored-views.ts';
import { MAX_NAME_CHARS, savedName } from '../../frame/view-names.ts';
import { useApp } from '../../shell/app-context.ts';
import { Icon } from './icons.tsx';
import { PageLink } from './page-link.tsx';
import { Popover } from './popover.tsx';

/** A menu of named dashboard addresses; users can add the current one. */
export function SavedViews() {
  const trigger = (
    <>
      <span>
        Saved<span className="wide-only"> views</span>
      </span>
      <Icon name="chevron" />
    </>
  );
  return (
    <Popover label="Saved views" trigger={trigger} triggerClass="button" align="end">
      {(close) => <SavedViewList close={close} />}
    </Popover>
  );
}

/** The saved views inside a panel or menu, and the field that adds the current view. */
export function SavedViewList({ close }: { readonly close: () => void }) {
  const { basePath } = useApp();
  const here = useLocation({ select: ({ href }) => href });
  const views = useSyncExternalStore(onViewsChange, () => storedViews('saved'));
  const [name, setName] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    const given = savedName(name);
    if (given === undefined) return;
    const href = basePath !== '' && here.startsWith(basePath) ? here.slice(basePath.length) : here;
    storeView('saved', { name: given, href: href || '/', atMs: Date.now() });
    setName('');
  };
  return (
    <>
      {views.length === 0 ? <p className="panel-note">No saved views in this browser yet.</p> : null}
      <ul>
        {views.map((view) => (
          <li key={view.name} className="row-of">
            <PageLink className="item" to={view.href} onClick={close}>
              <span className="item-name">{view.name}</span>
            </PageLink>
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove ${view.name}`}
              onClick={() => removeView('saved', view)}
            >
              <Icon name="close" size={10} />
            </button>
          </li>
        ))}
      </ul>
      <div className="panel-rule" />
      <form onSubmit={save} className="save-form">
        <input
          className="panel-field"
          aria-label="Name of this view"
          placeholder="Save this view as"
          maxLength={MAX_NAME_CHARS}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button" disabled={savedName(name) === undefined}>
          Save
        </button>
      </form>
    </>
  );
}
