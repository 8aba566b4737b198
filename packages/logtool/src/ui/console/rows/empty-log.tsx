import { sentence } from '../../app/chrome/sentence.ts';
import type { ToolProps } from '../session/slots.ts';
import { useTrouble } from '../session/use-trouble.ts';
import { NoContext } from './no-context.tsx';
import { Say } from './say.tsx';

/** What an empty log is waiting for. */
export function EmptyLog({ tools }: { readonly tools: ToolProps }) {
  const { state, url, setUrl } = tools;
  const { status, sources, problems } = state;
  const trouble = useTrouble(state);
  if (url.ctx !== '' && url.src.length === 0) {
    return (
      <Say
        title="No source is chosen"
        text="Add one with the plus above, or choose workloads on the first page."
      />
    );
  }
  if (url.ctx === '' || trouble?.code === 'context-not-found') return <NoContext url={url} />;
  if (trouble !== undefined) {
    return (
      <Say
        title={sentence(trouble.what)}
        text={[trouble.why, trouble.next]
          .flatMap((text) => (text === undefined ? [] : `${sentence(text)}.`))
          .join(' ')}
      />
    );
  }
  if (
    status.connection.state === 'connecting' ||
    status.loading === 'opening' ||
    status.loading === 'jumping'
  ) {
    return (
      <div className="empty-log" aria-busy="true">
        <p>Opening the logs…</p>
      </div>
    );
  }
  if (status.lines > 0) {
    return (
      <Say title="No line passes the filters" text={`${status.lines.toLocaleString('en')} lines loaded.`}>
        <button
          type="button"
          className="button"
          onClick={() =>
            setUrl({ inc: undefined, exc: undefined, fields: undefined, only: undefined, q: undefined })
          }
        >
          Show all lines
        </button>
      </Say>
    );
  }
  const waiting = sources.filter(({ state: phase, isGone }) => !isGone && phase.startsWith('waiting'));
  if (sources.length === 0) {
    return problems.length > 0 ? (
      <Say title="Nothing can be shown" text="The reason is shown above.">
        <button type="button" className="button" onClick={() => location.reload()}>
          Try again
        </button>
      </Say>
    ) : (
      <Say
        title="No container matches"
        text={`Nothing runs under ${url.src.join(', ')} now.${status.connection.state === 'live' ? ' Its lines are shown when it does.' : ''}`}
      />
    );
  }
  return (
    <Say
      title={status.connection.state === 'live' ? 'No lines yet; following' : 'No lines in this range'}
      text={waiting.length === 0 ? undefined : 'These containers are not running:'}
    >
      {waiting.length === 0 ? null : (
        <ul>
          {waiting.slice(0, 10).map((source) => (
            <li key={source.order}>
              <b>
                {source.pod}/{source.container}
              </b>{' '}
              {source.state}
            </li>
          ))}
        </ul>
      )}
    </Say>
  );
}
