import { escapeHtml } from './escape-html.ts';

export interface PageValues {
  /** Empty if nobody is signed in: the page then asks for a token. */
  readonly token: string;
  readonly basePath: string;
  /** How a person signs in: the page knows it before anyone is. */
  readonly auth: string;
}

/** index.html with the way to sign in, the page token and the place where the server is mounted, and its files found from any depth. */
export function fillPage(html: string, { token, basePath, auth }: PageValues): string {
  return html
    .replace(
      /(<meta name="logtool-token" content=")[^"]*(")/,
      (_, start, end) => start + escapeHtml(token) + end,
    )
    .replace(
      /(<meta name="logtool-base" content=")[^"]*(")/,
      (_, start, end) => start + escapeHtml(basePath) + end,
    )
    .replace(
      '<meta name="logtool-base"',
      `<meta name="logtool-auth" content="${escapeHtml(auth)}" />\n    $&`,
    )
    .replace(/( (?:src|href)=")\.\//g, (_, start) => `${start}${escapeHtml(basePath)}/`);
}
