import { createReadStream, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, normalize } from 'node:path';
import type { NodeAnswer, NodeRequest } from '../../node-agent.ts';
import { type ByteRange, chooseRanges } from './byte-range.ts';
import { contentTypeOf } from './content-type.ts';
import { directoryPage } from './directory-page.ts';

const PLAIN = 'text/plain; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

/**
 * Serves the files of a node's /var/log as the kubelet's file server does (Go's http.FileServer behind go-restful;
 * test/recorded/nodes has a real one's responses). `path` begins after `/logs`, still escaped; `root` is a folder of
 * this machine. Omits one step: the API server's proxy rewrites links in HTML files, but no log is HTML.
 */
export async function serveFile(root: string, path: string, request: NodeRequest): Promise<NodeAnswer> {
  if (request.method !== 'GET')
    return { status: 405, headers: { allow: 'GET', 'content-type': PLAIN }, body: '405: Method Not Allowed' };
  if (!admitsAll(request.headers.accept))
    return answerText(406, '406: Not Acceptable\n\nAvailable representations: ');
  const unescaped = unescapePath(path);
  if (unescaped === undefined || unescaped.includes('\0')) return failure(404, '404 page not found');
  if (unescaped.endsWith('/index.html')) return redirect('./');
  // The path cannot go above the root.
  const file = join(root, normalize(`/${unescaped}`)).replace(/\/+$/, '');
  const found = await statOf(file);
  if (found === 'absent') return failure(404, '404 page not found');
  if (found === 'unreadable') return failure(500, '500 Internal Server Error');
  const hasSlash = unescaped.endsWith('/');
  const name = basename(normalize(`/${unescaped}`));
  if (found.isDirectory()) return hasSlash ? serveDirectory(file, found, request) : redirect(`${name}/`);
  return hasSlash ? redirect(`../${name}`) : serveContent(file, found, request);
}

/** Whether the client accepts any type: the kubelet declares no type for a file, so only such a header matches. */
function admitsAll(accept: string | undefined): boolean {
  return accept === undefined || accept.split(',').some((type) => type.split(';')[0]?.trim() === '*/*');
}

function unescapePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

async function statOf(file: string): Promise<Stats | 'absent' | 'unreadable'> {
  try {
    return await stat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unreadable';
  }
}

async function serveDirectory(file: string, found: Stats, request: NodeRequest): Promise<NodeAnswer> {
  const index = join(file, 'index.html');
  const own = await statOf(index);
  if (typeof own !== 'string' && own.isFile()) return serveContent(index, own, request);
  if (isUnmodified(request, found)) return { status: 304, headers: {}, body: undefined };
  const page = directoryPage(await readdir(file, { withFileTypes: true }));
  return { status: 200, headers: { 'content-type': HTML, 'last-modified': dateOf(found) }, body: page };
}

async function serveContent(file: string, found: Stats, request: NodeRequest): Promise<NodeAnswer> {
  const modified = { 'last-modified': dateOf(found) };
  const { headers } = request;
  const unmodifiedSince = secondsOf(headers['if-unmodified-since']);
  if (unmodifiedSince !== undefined && secondOf(found) > unmodifiedSince)
    return { status: 412, headers: modified, body: '' };
  if (headers['if-none-match'] === '*' || isUnmodified(request, found))
    return { status: 304, headers: modified, body: undefined };
  const contentType = await contentTypeOf(file);
  const header = holdsStill(request, found) ? headers.range : undefined;
  const choice = chooseRanges(header, found.size);
  const whole = { 'accept-ranges': 'bytes', 'content-type': contentType, ...modified };
  switch (choice.kind) {
    case 'invalid':
      return failure(416, 'invalid range');
    case 'no-overlap':
      return failure(416, 'invalid range: failed to overlap', { 'content-range': `bytes */${found.size}` });
    case 'whole':
      return content(200, whole, found.size, bytesOf(file, { start: 0, length: found.size }));
    case 'ranges':
      return partial(file, found.size, whole, choice.ranges);
  }
}

function partial(
  file: string,
  size: number,
  whole: Readonly<Record<string, string>> & { readonly 'content-type': string },
  ranges: readonly ByteRange[],
): NodeAnswer {
  const [only] = ranges;
  if (ranges.length === 1 && only !== undefined) {
    const headers = { ...whole, 'content-range': contentRange(only, size) };
    return content(206, headers, only.length, bytesOf(file, only));
  }
  const boundary = 'simulated-kubelet';
  const heads = ranges.map((range, index) =>
    Buffer.from(
      `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Range: ${contentRange(range, size)}\r\n` +
        `Content-Type: ${whole['content-type']}\r\n\r\n`,
    ),
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  const total = [...heads, end].reduce((sum, { length }) => sum + length, 0);
  const data = ranges.reduce((sum, { length }) => sum + length, 0);
  const headers = { ...whole, 'content-type': `multipart/byteranges; boundary=${boundary}` };
  return content(206, headers, total + data, multipart(file, ranges, heads, end));
}

async function* multipart(
  file: string,
  ranges: readonly ByteRange[],
  heads: readonly Buffer[],
  end: Buffer,
): AsyncGenerator<Uint8Array> {
  for (const [index, range] of ranges.entries()) {
    yield heads[index] ?? end;
    yield* bytesOf(file, range);
  }
  yield end;
}

function contentRange({ start, length }: ByteRange, size: number): string {
  return `bytes ${start}-${start + length - 1}/${size}`;
}

/**
 * Yields the bytes of a range. If the file is truncated meanwhile, there are fewer than announced, and the response
 * breaks off.
 */
async function* bytesOf(file: string, { start, length }: ByteRange): AsyncGenerator<Uint8Array> {
  if (length > 0) yield* createReadStream(file, { start, end: start + length - 1 });
}

/** Whether a range is allowed: `If-Range` names the exact second of the last change, or is absent. */
function holdsStill({ headers }: NodeRequest, found: Stats): boolean {
  const condition = headers['if-range'];
  return condition === undefined || secondsOf(String(condition)) === secondOf(found);
}

function isUnmodified({ headers }: NodeRequest, found: Stats): boolean {
  if (headers['if-none-match'] !== undefined) return false;
  const since = secondsOf(headers['if-modified-since']);
  return since !== undefined && secondOf(found) <= since;
}

function secondOf({ mtimeMs }: Stats): number {
  return Math.floor(mtimeMs / 1000);
}

function secondsOf(header: string | undefined): number | undefined {
  const ms = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

function dateOf(found: Stats): string {
  return new Date(secondOf(found) * 1000).toUTCString();
}

function content(
  status: number,
  headers: Readonly<Record<string, string>>,
  length: number,
  body: AsyncIterable<Uint8Array>,
): NodeAnswer {
  return { status, headers: { ...headers, 'content-length': String(length) }, body };
}

function redirect(location: string): NodeAnswer {
  return { status: 301, headers: { location }, body: '' };
}

function answerText(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): NodeAnswer {
  return { status, headers: { ...headers, 'content-type': PLAIN }, body };
}

function failure(status: number, text: string, headers: Readonly<Record<string, string>> = {}): NodeAnswer {
  return answerText(status, `${text}\n`, { ...headers, 'x-content-type-options': 'nosniff' });
}
