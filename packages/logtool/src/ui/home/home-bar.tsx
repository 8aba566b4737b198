import type { KeyboardEvent, RefObject } from 'react';
import type { NamespaceList } from '../../contract/cluster.ts';
import { Brand } from '../app/chrome/brand.tsx';
import { ContextSwitcher } from '../app/chrome/context-switcher.tsx';
import { Icon } from '../app/chrome/icons.tsx';
import { SavedViews } from '../app/chrome/saved-views.tsx';
import { ThemeButton } from '../app/chrome/theme-button.tsx';
import { homeHref } from '../shell/links.ts';
import { useShell } from '../shell/shell-context.ts';
import { NamespaceMenu } from './namespace-menu.tsx';
import type { HomeUrl } from './url/home-url.ts';
import './home-bar.css';

interface HomeBarProps {
  readonly url: HomeUrl;
  readonly context: string | undefined;
  readonly namespaces: NamespaceList | undefined;
  readonly counts: ReadonlyMap<string, number>;
  readonly isNarrow: boolean;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onMenu: () => void;
  readonly onNamespaces: (namespaces: readonly string[]) => void;
  readonly onType: (q: string) => void;
  readonly onFieldKey: (event: KeyboardEvent) => void;
}

export function HomeBar(props: HomeBarProps) {
  const { url, context, isNarrow } = props;
  return (
    <header>
      <div className="bar">
        {isNarrow ? (
          <button
            type="button"
            className="icon-button"
            aria-label="Kinds and recent views"
            onClick={props.onMenu}
          >
            <Icon name="menu" size={14} />
          </button>
        ) : null}
        <Brand />
        <span className="rule" />
        <ContextSwitcher
          current={context}
          linkTo={(ctx) => homeHref({ ...url, ctx, ns: [], sel: [], q: '' })}
        />
        {isNarrow ? <span className="gap" /> : <span className="rule" />}
        {isNarrow ? null : <Narrowing {...props} />}
        <SavedViews />
        <PaletteButton />
        <ThemeButton />
        {isNarrow ? null : <SignOut />}
      </div>
      {isNarrow ? (
        <div className="bar">
          <Narrowing {...props} />
          <SignOut />
        </div>
      ) : null}
    </header>
  );
}

/** What narrows the list: namespaces and a search. */
function Narrowing({ url, namespaces, counts, field, onNamespaces, onType, onFieldKey }: HomeBarProps) {
  return (
    <>
      <NamespaceMenu chosen={url.ns} known={namespaces} counts={counts} onChange={onNamespaces} />
      <label className="find">
        <span aria-hidden="true">/</span>
        <input
          ref={field}
          type="search"
          aria-label="Find a workload"
          aria-keyshortcuts="/"
          placeholder="Find a workload"
          autoComplete="off"
          spellCheck={false}
          value={url.q}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={onFieldKey}
        />
      </label>
    </>
  );
}

function PaletteButton() {
  const { openPalette } = useShell();
  return (
    <button
      type="button"
      className="key-button"
      aria-label="Ctrl K: go to a workload, a view or a context"
      onClick={openPalette}
    >
      <kbd>Ctrl K</kbd>
    </button>
  );
}

function SignOut() {
  const { info, signOut } = useShell();
  if (info === undefined || info.auth === 'none') return null;
  return (
    <button type="button" className="button" title={info.user} onClick={signOut}>
      Sign out
    </button>
  );
}
