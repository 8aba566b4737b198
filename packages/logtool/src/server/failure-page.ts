import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import type { Context } from 'hono';
import { escapeHtml } from './static/escape-html.ts';

/** Whether a browser requests something to display: its Accept names HTML. Programs accept anything, or JSON. */
export function wantsPage(context: Pick<Context, 'req'>): boolean {
  return /\btext\/html\b/i.test(context.req.header('accept') ?? '');
}

/** The text of a failure; its messages come from the code that starts the server. */
export type MessageOf = (failure: Coded) => {
  readonly what: string;
  readonly why?: string | undefined;
  readonly next?: string | undefined;
};

/**
 * Renders a failure as a self-contained page: it requests no file from the server, because that would be refused as
 * well.
 */
export function failurePage({ what, why, next }: ReturnType<MessageOf>): string {
  const paragraph = (label: string, text: string | undefined) =>
    text === undefined ? '' : `<p><strong>${label}:</strong> ${escapeHtml(text)}</p>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>logtool</title>
</head>
<body>
<h1>logtool</h1>
<p>${escapeHtml(what)}</p>
${paragraph('Why', why)}${paragraph('Next', next)}</body>
</html>
`;
}
