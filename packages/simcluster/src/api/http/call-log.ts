/** One request, as in an audit log. */
export interface ApiCall {
  readonly method: string;
  /** With its query, as sent. */
  readonly uri: string;
  /** Undefined before a response, or if there never was one. */
  status: number | undefined;
}

const MAX_CALLS = 10_000;

/** The requests that a server has seen, newest last, at most the last 10,000. */
export class CallLog {
  readonly calls: ApiCall[] = [];
  /** `METHOD path?query` of each request. */
  readonly requests: string[] = [];

  note(method: string | undefined, url: string | undefined): ApiCall {
    const call: ApiCall = { method: method ?? '', uri: url ?? '', status: undefined };
    append(this.calls, call);
    append(this.requests, `${method} ${url}`);
    return call;
  }
}

function append<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MAX_CALLS) list.splice(0, list.length - MAX_CALLS);
}
