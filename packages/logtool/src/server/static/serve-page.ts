import { readFile } from 'node:fs/promises';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Context, Hono } from 'hono';
import { PAGE_TOKEN_FRAGMENT } from '../../contract/page-key.ts';
import { serverFailure } from '../failures.ts';
import type { Logger, ServerEnv } from '../services.ts';
import type { SessionLayer } from '../session/session-layer.ts';
import { escapeHtml } from './escape-html.ts';
import type { StaticFile } from './find-files.ts';

interface PageValues {
  /** Empty if nobody is signed in: the page then asks for a token. */
  readonly token: string;
  readonly basePath: string;
  /** The sign-in method: the page needs it before anyone signs in. */
  readonly auth: string;
}

export interface PageOptions {
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly basePath: string;
  readonly auth: string;
  readonly sessions: SessionLayer;
  readonly logger: Logger;
}

/**
 * Serves the built page. Its files hold no secret, so anyone gets them: a link from another site comes without the
 * cookie, and the page then asks for its token itself.
 */
export function servePage(app: Hono<ServerEnv>, options: PageOptions): void {
  const read = keepHashed();
  app.get('*', (context) => answer(context, options, read));
}

async function answer(context: Context<ServerEnv>, options: PageOptions, read: ReadBytes): Promise<Response> {
  const { files, basePath } = options;
  const { pathname } = new URL(context.req.url);
  const isBelow = pathname.startsWith(`${basePath}/`);
  if (!isBelow && (pathname === basePath || pathname === '/')) return context.redirect(`${basePath}/`);
  if (!isBelow) throw noSuchPage(pathname);
  const path = pathname.slice(basePath.length);
  if (path === '/' || path === '/index.html') return sendPage(context, options);
  const file = files.get(path);
  if (file !== undefined) return sendFile(context, file, read);
  // Names with an extension are files; anything else is a view of the page, whose script reads the address.
  if (/\.\w+$/.test(path)) throw noSuchPage(pathname);
  return sendPage(context, options);
}

type ReadBytes = (path: string, isHashed: boolean) => Promise<Uint8Array<ArrayBuffer>>;

/** Reads files. Keeps one copy in memory of each file that never changes, for any number of readers at any speed. */
function keepHashed(): ReadBytes {
  const kept = new Map<string, ReturnType<ReadBytes>>();
  const readBytes = async (path: string) => new Uint8Array(await readFile(path));
  return (path, isHashed) => {
    if (!isHashed) return readBytes(path);
    let bytes = kept.get(path);
    if (bytes === undefined) {
      bytes = readBytes(path);
      kept.set(path, bytes);
      bytes.catch(() => kept.delete(path));
    }
    return bytes;
  };
}

/** Avoids a copy: a Response made from bytes copies them. */
function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

async function sendFile(context: Context<ServerEnv>, file: StaticFile, read: ReadBytes): Promise<Response> {
  const takesBrotli = /\bbr\b(?!\s*;\s*q=0(?:\.0+)?(?:,|$))/.test(
    context.req.header('accept-encoding') ?? '',
  );
  const isCompressed = takesBrotli && file.brotliPath !== undefined;
  const body = await read(isCompressed ? (file.brotliPath ?? file.path) : file.path, file.isHashed);
  return context.body(streamOf(body), 200, {
    'Content-Type': file.type,
    'Content-Length': String(body.length),
    'Cache-Control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(file.brotliPath === undefined ? {} : { Vary: 'Accept-Encoding' }),
    ...(isCompressed ? { 'Content-Encoding': 'br' } : {}),
  });
}

async function sendPage(context: Context<ServerEnv>, options: PageOptions): Promise<Response> {
  const { files, basePath, auth, logger } = options;
  const token = context.req.query('token');
  // A HEAD request does not sign in.
  if (token !== undefined && context.req.method === 'GET') return enter(context, token, options);
  const index = files.get('/index.html');
  if (index === undefined) throw notBuilt();
  const session = await findOrNobody(context, options);
  const html = fillPage(await readFile(index.path, 'utf8'), {
    token: session?.pageToken ?? '',
    basePath,
    auth,
  });
  logger.debug({ isSignedIn: session !== undefined }, 'served the page');
  return context.body(html, 200, { 'Content-Type': index.type, 'Cache-Control': 'no-store' });
}

/**
 * Finds the session, or none. When the page asks for its token, it reports what kept the server from identifying the
 * person.
 */
async function findOrNobody({ req }: Context<ServerEnv>, { sessions, logger }: PageOptions) {
  try {
    return await sessions.find(req.raw);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    logger.warn({ code: error.code, data: error.data }, 'cannot identify the session of this request');
    return undefined;
  }
}

/** Exchanges the token of the address for a cookie and the page token, and removes it from the address. */
async function enter(
  context: Context<ServerEnv>,
  token: string,
  { auth, sessions, logger }: PageOptions,
): Promise<Response> {
  const to = new URL(context.req.url);
  to.searchParams.delete('token');
  let fragment = '';
  try {
    // Browsers and proxies keep addresses, and anyone can make links: an address never contains a user's own token.
    if (auth !== 'token') throw noTokenInAddress();
    const { session, cookies } = await sessions.signIn(token, context.req.raw);
    fragment = PAGE_TOKEN_FRAGMENT + session.pageToken;
    for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true });
  } catch (error) {
    // The page itself then reports that a sign-in is needed, and how.
    if (!(error instanceof CodedError)) throw error;
    logger.warn({ code: error.code }, 'rejected a token in the address');
  }
  return context.redirect(to.pathname.replace(/^\/{2,}/, '/') + to.search + fragment, 303);
}

function noTokenInAddress(): CodedError {
  return serverFailure('no-token-in-address', {});
}

function noSuchPage(path: string): CodedError {
  return serverFailure('no-such-route', { path: path.slice(0, 200), isApi: false });
}

function notBuilt(): CodedError {
  return serverFailure('page-not-built', {});
}

/**
 * Fills index.html with the sign-in method, the page token and the mount path, so that it finds its files from any
 * depth.
 */
function fillPage(html: string, { token, basePath, auth }: PageValues): string {
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
