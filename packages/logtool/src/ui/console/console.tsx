import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../../contract/client.ts';
import { useNarrow } from '../app/chrome/use-narrow.ts';
import { pageVisibility } from '../frame/page-visibility.ts';
import { serverClock } from '../frame/server-clock.ts';
import { pageStreams } from '../frame/tab-streams.ts';
import { titleText } from '../messages/standing.ts';
import { useApp } from '../shell/app-context.ts';
import { useShell } from '../shell/shell-context.ts';
import type { BufferStatus } from '../worker/protocol/protocol.ts';
import { createLogWorker } from '../worker/session/log-worker-client.ts';
import { storedDensity } from './bar/density.ts';
import { ConsoleFrame } from './console-frame.tsx';
import { restUnseen } from './scroll/rest-unseen.ts';
import { ConsoleSession } from './session/console-session.ts';
import { makeZoneClock } from './state/zone-time.ts';
import type { ConsoleUrl, SetUrl } from './url/console-url.ts';
import { untilItsEnd, useFutureEnd } from './url/future-end.ts';
import { useConsoleUrl } from './url/use-console-url.ts';
import {
  facetFilterOf,
  factChoiceOf,
  followsAtFirst,
  followsByItself,
  searchPlanOf,
  viewPlanOf,
} from './url/view-plan.ts';
import { useReadLine } from './use-read-line.ts';

/** The console: the logs of some workloads as one timeline. */
export function Console() {
  const { url, setUrl } = useConsoleUrl();
  const session = useSession(followsAtFirst(untilItsEnd(url, serverClock.nowMs())), url.pins !== undefined);
  if (session === undefined)
    return <main className="console" aria-busy="true" aria-label="Opening the logs" />;
  return <OpenConsole session={session} url={url} setUrl={setUrl} />;
}

/** Keeps one log worker for as long as the console is open, whatever it shows. */
function useSession(isFollowing: boolean, showsPins: boolean): ConsoleSession | undefined {
  const { session: login, basePath } = useApp();
  const [session, setSession] = useState<ConsoleSession | undefined>();
  const atFirst = useRef(isFollowing);
  const showsAtFirst = useRef(showsPins);
  useEffect(() => {
    const worker = createLogWorker({
      basePath,
      token: login.token,
      onFailure: (error) => opened.failed(error),
    });
    const opened = new ConsoleSession({
      worker,
      onFrame: (run) => requestAnimationFrame(run),
      nowMs: () => Date.now(),
      afterMs: (ms, run) => setTimeout(run, ms),
      density: storedDensity(),
      isFollowing: atFirst.current,
      showsPins: showsAtFirst.current,
    });
    const endTokens = login.subscribe(() => worker.send({ type: 'token', token: login.token }));
    const endSignOut = worker.subscribe('signed-out', ({ error }) => login.end(new ApiError(401, error)));
    const endRests = restUnseen({
      worker,
      streams: pageStreams(),
      visibility: pageVisibility,
      every: (ms, run) => {
        const timer = setInterval(run, ms);
        return () => clearInterval(timer);
      },
    });
    setSession(opened);
    return () => {
      endRests();
      endTokens();
      endSignOut();
      opened.close();
    };
  }, [basePath, login]);
  return session;
}

type OpenConsoleProps = { readonly session: ConsoleSession } & ReturnType<typeof useConsoleUrl>;

function OpenConsole({ session, url, setUrl }: OpenConsoleProps) {
  const { info, checkVersion } = useShell();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const clock = useMemo(() => makeZoneClock(url.tz ?? 'local'), [url.tz]);
  const { ctx, last, from } = url;
  const sources = url.src.join('\n');
  const readsRotated = url.rotated === true;
  // 0 until the first answer: only a browser whose clock differs opens its view again then.
  const aheadMs = useSyncExternalStore(serverClock.subscribe, () => serverClock.firstAheadMs);
  // `15m` counts back from when the user chose it, not from each change of the sources.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new range is a new moment
  const chosenAtMs = useMemo(() => serverClock.nowMs(), [ctx, last, from, url.to, aheadMs]);
  const { shown, isOver } = useFutureEnd(url, chosenAtMs);
  const { to } = shown;
  const plan = useMemo(() => {
    const src = sources === '' ? [] : sources.split('\n');
    const range = {
      ...(last === undefined ? {} : { last }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    const chosen = viewPlanOf({ ctx, src, ...range, rotated: readsRotated }, chosenAtMs);
    // Who follows to the end stays there.
    return isOver ? { ...chosen, opensAt: 'end' as const } : chosen;
  }, [ctx, sources, last, from, to, readsRotated, chosenAtMs, isOver]);
  const groups = url.flat !== true;
  useEffect(() => session.worker.send({ type: 'group', isOn: groups }), [session, groups]);
  const foldsEqual = url.equal === true;
  useEffect(() => session.worker.send({ type: 'fold-equal', isOn: foldsEqual }), [session, foldsEqual]);
  const choice = JSON.stringify(factChoiceOf(url));
  useEffect(() => session.worker.send({ type: 'facts', choice: JSON.parse(choice) }), [session, choice]);
  const follows = followsAtFirst(shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is opened is followed as its link says
  useEffect(() => session.setView(plan, follows), [session, plan]);
  useFollowInUrl(session, shown, setUrl);
  useReconnected(state.status.connection.state, checkVersion);
  const facets = JSON.stringify(facetFilterOf(url));
  useEffect(() => session.setFacets(JSON.parse(facets)), [session, facets]);
  const search = JSON.stringify(searchPlanOf(url));
  useEffect(() => session.setSearch(JSON.parse(search)), [session, search]);
  const wraps = url.wrap === true;
  // In a narrow window, the message is above the columns.
  const lines = useNarrow() ? 2 : 1;
  const { density } = state;
  useEffect(
    () => session.scroller.setLayout({ rowPx: density * lines, wraps }),
    [session, density, wraps, lines],
  );
  const isOpening = state.status.loading === 'opening';
  useReadLine({ session, url, setUrl, plan, isOpening, opened: state.opened });
  const title = titleText(url.src, state.status.errorsPerSecond);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const columns = url.cols ?? info?.columns;
  return (
    <ConsoleFrame tools={{ state, session, worker: session.worker, url, setUrl, clock }} columns={columns} />
  );
}

/** Keeps following in the URL, so that a copied link or a reload shows the same view. */
function useFollowInUrl(session: ConsoleSession, url: ConsoleUrl, setUrl: SetUrl): void {
  // Reads the session's state directly: a view follows or not from its opening, before the next drawing.
  const { isFollowing: drawn } = useSyncExternalStore(session.subscribe, session.state);
  const before = useRef(drawn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again on each drawing
  useEffect(() => {
    const { isFollowing } = session.state();
    const isNew = isFollowing && !before.current;
    before.current = isFollowing;
    // A person who follows has left the line of the link.
    const line = isNew ? undefined : url.line;
    const byItself = followsByItself({ ...url, line });
    const follow = isFollowing === byItself ? undefined : isFollowing;
    if (follow !== url.follow || line !== url.line) setUrl({ follow, line }, { replace: true });
  }, [session, drawn, url, setUrl]);
}

/** After a cut, another server may answer. */
function useReconnected(connection: BufferStatus['connection']['state'], check: () => void): void {
  const wasCut = useRef(false);
  useEffect(() => {
    if (connection === 'reconnecting') wasCut.current = true;
    if (connection !== 'live' || !wasCut.current) return;
    wasCut.current = false;
    check();
  }, [connection, check]);
}
