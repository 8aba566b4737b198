import { PageLink } from './page-link.tsx';

/** The program's name as a link to the home page. `to`: the home page's last state, if known. */
export function Brand({ to = '/' }: { readonly to?: string }) {
  return (
    <PageLink className="brand" to={to} aria-label="logtool, home">
      <i aria-hidden="true" />
      <span>logtool</span>
    </PageLink>
  );
}
