import { Fragment, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { DEFAULT_COLUMNS } from '../../domain/columns.ts';
import { LEVELS } from '../../domain/filter.ts';
import { compareNatural } from '../../messages/natural-order.ts';
import { legibleText } from '../ansi/plain-text.ts';
import { facetState, toggleFacet } from '../console/tools/facet-change.ts';
import type { ToolProps } from '../console/tools/slots.ts';
import type { ConsoleColumn } from '../console/url/console-url.ts';
import { useShell } from '../shell/shell-context.ts';
import { FACET_NAMES, FACETS, type FacetName } from '../worker/protocol/facet-table.ts';
import { type ContainerFacet, type ContainerGroup, groupContainers, namedIn } from './container-groups.ts';
import { FacetRow } from './facet-row.tsx';
import { AllContainers, FindFacet, OtherContainers } from './other-containers.tsx';
import { addContainer } from './source-change.ts';
import '../console/rows/line/hue.css';
import './facets.css';
import { conditionText } from '../messages/condition.ts';
import { countText } from '../messages/count.ts';
import { loadedText, readableText, sampledFieldsText, scopeText } from '../messages/coverage.ts';
import { EventList } from './event-list.tsx';
import { FilterChips } from './filter-chips.tsx';

const LEVEL_NAMES: Readonly<Record<string, string>> = { warn: 'warning', none: 'no level' };
const LEVEL_GLYPHS: Readonly<Record<string, string>> = { none: '' };
/** Shown even if empty, so that the errors row does not move. */
const USUAL = new Set(['error', 'warn', 'info', 'debug']);
/** Users can expand the list to see more. */
const SHOWN = 100;
/** From this many containers on, a search field appears. */
const SEARCHED = 10;

type Bind = (facet: FacetName, value: string) => Omit<Parameters<typeof FacetRow>[0], 'name'>;

/** Counts of the lines in the view, by facet and field; each value is a filter. */
export function FacetList(tools: ToolProps) {
  const { state, url, setUrl } = tools;
  const { facets, sources } = state;
  const groups = useMemo(() => groupContainers(sources, url.src), [sources, url.src]);
  const [text, setText] = useState('');
  const containers = groups.reduce((sum, group) => sum + group.containers.length, 0);
  // When the search field disappears, its text must not hide anything.
  const wanted = containers < SEARCHED ? '' : text.trim().toLowerCase();
  const bind: Bind = (facet, value) => ({
    facet,
    value,
    count: facets[facet][value] ?? 0,
    isPartial: facets.partial[facet].includes(value),
    state: facetState(url, facet, value),
    onInclude: () => setUrl(toggleFacet(url, facet, value, 'included')),
    onExclude: () => setUrl(toggleFacet(url, facet, value, 'excluded')),
  });
  return (
    <Roving>
      <FilterChips {...tools} />
      <Scope {...tools} />
      {FACET_NAMES.map((facet) => {
        switch (facet) {
          case 'level':
            return (
              <Fragment key={facet}>
                <Levels tools={tools} bind={bind} />
                <EventList {...tools} />
              </Fragment>
            );
          case 'container':
            return (
              <Fragment key={facet}>
                {containers < SEARCHED ? null : <FindFacet text={text} onType={setText} />}
                <AllContainers groups={groups} url={url} setUrl={setUrl} />
                <NoneFound groups={groups} wanted={wanted} />
                {groups.map((group) => (
                  <Containers key={group.key} group={group} wanted={wanted} bind={bind} tools={tools} />
                ))}
              </Fragment>
            );
          case 'run':
            return <Runs key={facet} groups={groups} wanted={wanted} url={url} bind={bind} />;
          case 'arch':
          case 'node':
          case 'os':
          case 'region':
          case 'zone':
            return <Values key={facet} facet={facet} wanted={wanted} tools={tools} bind={bind} />;
          default:
            return facet satisfies never;
        }
      })}
      <Fields {...tools} />
    </Roving>
  );
}

/** Shows the range that the counts cover. */
function Scope({ state, url, clock }: ToolProps) {
  const scope = url.src.length === 0 ? undefined : facetScopeText(state, url, clock);
  return scope === undefined ? null : <p className="facet-scope">{scope}</p>;
}

/** Describes the range that the counts cover; undefined: they are those of all logs. */
export function facetScopeText(
  { status, isAnswered, problems }: Pick<ToolProps['state'], 'status' | 'isAnswered' | 'problems'>,
  url: ToolProps['url'],
  clock: ToolProps['clock'],
): string | undefined {
  const { scan, lines, isWhole, loading, connection } = status;
  if (!isAnswered) return 'Counting…';
  const isOpening = loading === 'opening' || connection.state === 'connecting';
  const isAll = !isOpening && isWhole && problems.length === 0;
  const ofHeld = isAll ? readableText(url, status) : loadedText(lines);
  const scope = scan === undefined ? ofHeld : scopeText(scan, clock, Date.now());
  return scope && `Counts ${scope}`;
}

interface LevelsProps {
  readonly tools: ToolProps;
  readonly bind: Bind;
}

function Levels({ tools: { state, url }, bind }: LevelsProps) {
  const counts = state.facets.level;
  const levels = [...LEVELS, 'none'].filter(
    (level) => USUAL.has(level) || (counts[level] ?? 0) > 0 || facetState(url, 'level', level) !== undefined,
  );
  return (
    <Group title={FACETS.level.title}>
      {levels.map((level) => (
        <FacetRow
          key={level}
          {...bind('level', level)}
          name={LEVEL_NAMES[level] ?? level}
          glyph={
            <span className={`facet-level ${level}`}>
              {LEVEL_GLYPHS[level] ?? level.charAt(0).toUpperCase()}
            </span>
          }
        />
      ))}
    </Group>
  );
}

interface ValuesProps extends LevelsProps {
  readonly facet: FacetName;
  /** In lower case; empty: all. */
  readonly wanted: string;
}

function Values({ facet, wanted, tools: { state, url }, bind }: ValuesProps) {
  const { title, minValues } = FACETS[facet];
  const filtered = [...(url.inc?.[facet] ?? []), ...(url.exc?.[facet] ?? [])];
  const values = valuesOf(state.facets[facet], filtered);
  if (values.length < minValues && filtered.length === 0) return null;
  const found = values.filter((value) => value.toLowerCase().includes(wanted));
  if (found.length === 0) return null;
  return (
    <Group title={title}>
      {found.slice(0, SHOWN).map((value) => (
        <FacetRow key={value} {...bind(facet, value)} name={legibleText(value)} title={legibleText(value)} />
      ))}
    </Group>
  );
}

interface RunsProps extends Pick<ValuesProps, 'wanted' | 'bind'> {
  readonly groups: readonly ContainerGroup[];
  readonly url: ToolProps['url'];
}

/** The runs of containers with several runs, and filtered runs. */
function Runs({ groups, wanted, url, bind }: RunsProps) {
  const runs = groups
    .flatMap(({ containers }) => containers)
    .filter(
      ({ runs: own, name }) =>
        (own.length > 1 || isFiltered(own, url)) && name.toLowerCase().includes(wanted),
    )
    .flatMap((container) => container.runs.map((run) => ({ ...run, container })));
  if (runs.length === 0) return null;
  return (
    <Group title={FACETS.run.title}>
      {runs.slice(0, SHOWN).map(({ order, name, container }) => (
        <FacetRow
          key={order}
          {...bind('run', order)}
          name={`${container.label} ${name}`}
          title={`${container.name}, ${name}`}
          glyph={<span className={`hue hue-${container.hue}`} />}
        />
      ))}
    </Group>
  );
}

function isFiltered(runs: ContainerFacet['runs'], url: ToolProps['url']): boolean {
  return runs.some(({ order }) => facetState(url, 'run', order) !== undefined);
}

interface ContainersProps {
  readonly group: ContainerGroup;
  /** In lower case; empty: all. */
  readonly wanted: string;
  readonly bind: Bind;
  readonly tools: ToolProps;
}

function Containers({ group, wanted, bind, tools: { url, setUrl } }: ContainersProps) {
  const [isWhole, setWhole] = useState(false);
  const { containers, others } = namedIn(group, wanted);
  if (containers.length + others.length === 0) return null;
  const shown = isWhole ? containers : containers.slice(0, SHOWN);
  return (
    <Group title={group.title} count={group.containers.length} hint={group.argument}>
      {shown.map((container) => (
        <FacetRow
          key={container.id}
          {...bind('container', container.id)}
          name={container.name}
          label={<ContainerLabel container={container} />}
          title={container.name}
          glyph={<span className={`hue hue-${container.hue}`} />}
          isGone={container.isGone}
        />
      ))}
      {shown.length === containers.length ? null : (
        <li className="facet">
          <button type="button" className="text-button facet-all" onClick={() => setWhole(true)}>
            Show all {containers.length.toLocaleString('en')}
          </button>
        </li>
      )}
      <OtherContainers
        names={others}
        onAdd={(name) => setUrl({ src: addContainer(url.src, group.argument, name) })}
      />
    </Group>
  );
}

/** Notes that the searched name is none of a container. */
function NoneFound({ groups, wanted }: Pick<RunsProps, 'groups' | 'wanted'>) {
  const isFound = groups.some((group) => {
    const { containers, others } = namedIn(group, wanted);
    return containers.length + others.length > 0;
  });
  return wanted === '' || isFound ? null : <p className="facet-scope">No container has this in its name</p>;
}

function ContainerLabel({ container }: { readonly container: ContainerFacet }) {
  const { restarts, isNew, condition } = container;
  const state = conditionText(condition);
  return (
    <>
      {container.label}
      {restarts > 0 ? <em title={`restarted ${countText(restarts, 'time')}`}>↻ {restarts}</em> : null}
      {condition.kind === 'running' ? (
        <>
          {isNew ? <em>new</em> : null}
          <span className="sr-only"> {state}</span>
        </>
      ) : (
        <em className={`condition ${condition.kind}`} title={state}>
          {state}
        </em>
      )}
    </>
  );
}

/** Fields of a sample of the lines, from JSON and other formats; each can become a column. */
function Fields({ state, url, setUrl }: ToolProps) {
  const { info } = useShell();
  const { fields, fieldsOf } = state.facets;
  if (fields.length === 0) return null;
  const columns: readonly ConsoleColumn[] = url.cols ?? info?.columns ?? DEFAULT_COLUMNS;
  return (
    <Group title={sampledFieldsText(fieldsOf)}>
      {fields.map(([path, lines]) => {
        const column: ConsoleColumn = `json:${path}`;
        const isShown = columns.includes(column);
        return (
          <FacetRow
            key={path}
            facet="field"
            value={path}
            name={legibleText(path)}
            title={isShown ? `${legibleText(path)}: a column` : `Show ${legibleText(path)} as a column`}
            count={lines}
            isSample
            state={isShown ? 'included' : undefined}
            onInclude={() =>
              setUrl({ cols: isShown ? columns.filter((each) => each !== column) : [...columns, column] })
            }
          />
        );
      })}
    </Group>
  );
}

interface GroupProps {
  readonly title: string;
  readonly count?: number;
  readonly hint?: string;
  readonly children: React.ReactNode;
}

function Group({ title, count, hint, children }: GroupProps) {
  return (
    <section aria-label={title}>
      <h2 title={hint}>
        {title}
        {count === undefined ? null : <span>{count.toLocaleString('en')}</span>}
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

/** Sorts values by most lines, then by name; filtered values stay even if no loaded line has them. */
function valuesOf(counts: Readonly<Record<string, number>>, filtered: readonly string[]): readonly string[] {
  const own = (value: string) => (Object.hasOwn(counts, value) ? (counts[value] ?? 0) : 0);
  return [...new Set([...Object.keys(counts), ...filtered])].sort(
    (a, b) => own(b) - own(a) || compareNatural(a, b),
  );
}

/** Up and Down move between values, Right and Left between a value and its exclude button. */
function Roving({ children }: { readonly children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (box.current === null) return;
    const next = nextFocus(box.current, event.target as HTMLElement, event.key);
    if (next === undefined) return;
    next.focus();
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons inside
    <div ref={box} className="facets" onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}

/** Returns where a key moves the focus; undefined leaves the key to the browser. */
function nextFocus(box: HTMLElement, target: HTMLElement, key: string): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return rowBeside(box, target, 1);
    case 'ArrowUp':
      return rowBeside(box, target, -1);
    case 'ArrowRight':
      return target.matches('.facet-value') ? htmlElement(target.nextElementSibling) : undefined;
    case 'ArrowLeft':
      return target.matches('.facet-exclude') ? htmlElement(target.previousElementSibling) : undefined;
    default:
      return undefined;
  }
}

function rowBeside(box: HTMLElement, target: HTMLElement, step: number): HTMLElement | undefined {
  const rows = [
    ...box.querySelectorAll<HTMLElement>('.facet-value, .facet-all, .facet-add, .filter-chip button'),
  ];
  const own = target.matches('.facet-exclude') ? target.previousElementSibling : target;
  const at = own instanceof HTMLElement ? rows.indexOf(own) : -1;
  return at === -1 ? undefined : rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
}

function htmlElement(element: Element | null): HTMLElement | undefined {
  return element instanceof HTMLElement ? element : undefined;
}
