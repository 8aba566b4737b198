import { PageLink } from '../../app/chrome/page-link.tsx';
import { formatSearch } from '../../app/search-params.ts';
import { useShell } from '../../app/shell-context.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import { writeConsoleUrl } from '../url/read-console-url.ts';
import { Say } from './say.tsx';

/** The link names no context, or one that there is not: those there are, each with the same sources. */
export function NoContext({ url }: { readonly url: ConsoleUrl }) {
  const { contexts } = useShell();
  const all = contexts?.contexts ?? [];
  const title = url.ctx === '' ? 'This link names no context' : `There is no context ${url.ctx}`;
  const text =
    contexts === undefined
      ? undefined
      : all.length === 0
        ? 'The kubeconfig has none. It is watched: one that is added appears here.'
        : 'Open the same sources in one of these:';
  return (
    <Say title={title} text={text}>
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
    </Say>
  );
}
