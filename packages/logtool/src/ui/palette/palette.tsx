import { useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { Dialog } from '../app/chrome/dialog.tsx';
import { useOpen } from '../app/chrome/page-link.tsx';
import { oneOf } from '../frame/search-params.ts';
import { onViewsChange, storedViews } from '../frame/stored-views.ts';
import { EMPTY_LIST } from '../home/feed/workload-store.ts';
import { type Shell, useShell } from '../shell/shell-context.ts';
import { switchTheme } from '../theme/theme.ts';
import { type Command, findCommands } from './commands.ts';
import './palette.css';

/** Ctrl+K: goes to a workload, view or context, or runs an action, by a part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const open = useOpen();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const commands = useCommands(query);
  const chosen = Math.min(at, commands.length - 1);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    if ('go' in command.does) open(command.does.go);
    else command.does.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      const next = (chosen + step + commands.length) % commands.length;
      setAt(next);
      document.getElementById(`command-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[chosen]);
    }
  };
  const onType = (text: string) => {
    setQuery(text);
    setAt(0);
  };
  return (
    <Dialog title="Go to" isOpen onClose={onClose} className="palette" hideTitle>
      <input
        role="combobox"
        aria-label="Go to a workload, a view or a context"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={commands.length > 0 ? `command-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Workload, view, context or action"
        value={query}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <Matches commands={commands} chosen={chosen} onRun={run} />
    </Dialog>
  );
}

interface MatchesProps {
  readonly commands: readonly Command[];
  readonly chosen: number;
  readonly onRun: (command: Command) => void;
}

function Matches({ commands, chosen, onRun }: MatchesProps) {
  return (
    <>
      <div id="commands" role="listbox" aria-label="Matches" className="commands">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
          <div
            key={command.id}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="item"
            onClick={() => onRun(command)}
          >
            <span className="item-name">{command.name}</span>
            <span className="item-note">
              {[command.note, NOUNS[command.group]].filter((text) => text !== '').join(' · ')}
            </span>
          </div>
        ))}
      </div>
      {commands.length === 0 ? (
        <p className="panel-note" role="status">
          No matches.
        </p>
      ) : null}
    </>
  );
}

/** Returns the destinations and actions that match a query. */
function useCommands(query: string): readonly Command[] {
  const shell = useShell();
  const search = useSearch({ strict: false });
  const context = oneOf(search, 'ctx') ?? shell.contexts?.contexts.find(({ isCurrent }) => isCurrent)?.name;
  const feed = context === undefined ? undefined : shell.feed(context, []);
  const list = useSyncExternalStore(feed?.subscribe ?? none, feed?.list ?? empty);
  const recent = useSyncExternalStore(onViewsChange, () => storedViews('recent'));
  const saved = useSyncExternalStore(onViewsChange, () => storedViews('saved'));
  const actions = useMemo(() => actionsOf(shell), [shell]);
  return useMemo(
    () =>
      findCommands(query, {
        context,
        workloads: list.workloads.values(),
        views: [...saved, ...recent],
        contexts: shell.contexts,
        actions,
      }),
    [query, context, list.workloads, saved, recent, shell.contexts, actions],
  );
}

function actionsOf({ info, openKeys, signOut }: Shell): readonly Command[] {
  const action = (name: string, run: () => void): Command => {
    return { id: name, group: 'Actions', name, note: '', does: { run } };
  };
  return [
    action('Switch between dark and light', switchTheme),
    action('Show the keys', openKeys),
    ...(info !== undefined && info.auth !== 'none' ? [action('Sign out', signOut)] : []),
  ];
}

/** What each line of the palette is; a workload shows its kind instead. */
const NOUNS: { readonly [G in Command['group']]: string } = {
  Workloads: '',
  Views: 'view',
  Contexts: 'context',
  Actions: 'action',
};

const none = () => () => undefined;
const empty = () => EMPTY_LIST;
