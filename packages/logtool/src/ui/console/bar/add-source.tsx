import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type FormEvent, useId, useState } from 'react';
import { parseSource } from '../../../domain/source-syntax.ts';
import { Popover } from '../../app/chrome/popover.tsx';
import { logMessageOf } from '../../messages/log-message-of.ts';
import { noSourceText } from '../../messages/search.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import { SourceSuggestions, type Suggestions, useSuggestions } from './source-suggestions.tsx';

interface AddSourceProps {
  readonly url: ConsoleUrl;
  readonly onAdd: (source: string) => void;
}

/** The plus button after the sources: adds a source without reloading the page. */
export function AddSource({ url, onAdd }: AddSourceProps) {
  return (
    <Popover
      label="Add a source"
      trigger="+"
      triggerClass="plus"
      triggerLabel="Add a source"
      className="add-panel"
    >
      {(close) => (
        <SourceForm
          url={url}
          onAdd={(source) => {
            onAdd(source);
            close();
          }}
        />
      )}
    </Popover>
  );
}

function SourceForm({ url, onAdd }: AddSourceProps) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const faultId = useId();
  const suggestions = useSuggestions(url, text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [first] = suggestions.sources;
    const typed = text.trim();
    // Text without suggestions may be a pattern, a pod or a container: takes it as typed unless no pod has that name.
    const found = first === undefined || typed === '' ? faultOf(typed, suggestions) : undefined;
    setFault(found);
    if (found === undefined) onAdd(first ?? typed);
  };
  return (
    <form onSubmit={submit}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the panel was opened to type into it
        autoFocus
        className="panel-field mono"
        aria-label="Source"
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : faultId}
        placeholder="shop:deployments/web"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setFault(undefined);
        }}
      />
      {fault === undefined ? null : (
        <p id={faultId} className="panel-note fault" role="alert">
          {fault}
        </p>
      )}
      <SourceSuggestions suggestions={suggestions} onPick={onAdd} />
    </form>
  );
}

/** The error in a typed source, in one line. */
function faultOf(text: string, { isNothing }: Suggestions): string | undefined {
  try {
    return isNothing(parseSource(text)) ? noSourceText(text) : undefined;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { what, why, next } = logMessageOf(error);
    return `${what}: ${why?.split('\n')[0]?.replace(/:$/, '') ?? next ?? ''}`;
  }
}
