import { COLUMN_NAMES, DEFAULT_COLUMNS } from '../../../domain/columns.ts';
import { legibleText } from '../../ansi/plain-text.ts';
import { Icon } from '../../app/chrome/icons.tsx';
import { Popover } from '../../app/chrome/popover.tsx';
import { SavedViewList } from '../../app/chrome/saved-views.tsx';
import { chordText } from '../../keys/chord.ts';
import { consoleChord } from '../../keys/log-keys.ts';
import { useShell } from '../../shell/shell-context.ts';
import { switchTheme } from '../../theme/theme.ts';
import { unlessGone } from '../../worker/session/log-worker-client.ts';
import { togglePin } from '../pins/pin-change.ts';
import { DENSITIES, type Density } from '../state/console-state.ts';
import { type ToolProps, useSlots } from '../tools/slots.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { copyCommand, copyLink, copyMarkdown, copySelection } from './copy.ts';
import { storeDensity } from './density.ts';
import './more-menu.css';

const DENSITY_NAMES: { readonly [D in Density]: string } = { 20: 'Dense', 22: 'Normal', 28: 'Airy' };

interface MoreMenuProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[] | undefined;
  readonly isNarrow: boolean;
}

/** Controls for occasional use: columns, wrapping, density, links. */
export function MoreMenu({ tools, columns = DEFAULT_COLUMNS, isNarrow }: MoreMenuProps) {
  return (
    <Popover
      label="View"
      trigger={<Icon name="more" />}
      triggerClass="icon-button"
      triggerLabel="Columns, wrapping and more"
      title="Columns, wrapping and more"
      align="end"
      className="more-panel"
    >
      {(close) => (
        <>
          <Choice
            text="Wrap long lines"
            chord="wrap"
            isOn={tools.url.wrap === true}
            choose={(isOn) => tools.setUrl({ wrap: isOn }, { replace: true })}
          />
          <Choice
            text="Fold stack traces"
            chord="group"
            isOn={tools.url.flat !== true}
            choose={(isOn) => tools.setUrl({ flat: !isOn }, { replace: true })}
          />
          <Choice
            text="Lines as written"
            chord="raw"
            isOn={tools.url.raw === true}
            choose={(isOn) => tools.setUrl({ raw: isOn }, { replace: true })}
          />
          <Choice
            text="Fold equal lines"
            chord="equal"
            isOn={tools.url.equal === true}
            choose={(isOn) => tools.setUrl({ equal: isOn }, { replace: true })}
          />
          <Choice
            text="Older log files of nodes"
            isOn={tools.url.rotated === true}
            choose={(isOn) => tools.setUrl({ rotated: isOn })}
          />
          <DensityChoice {...tools} />
          <ColumnChoice tools={tools} columns={columns} />
          <div className="panel-rule" />
          <Actions tools={tools} isNarrow={isNarrow} close={close} />
        </>
      )}
    </Popover>
  );
}

interface ChoiceProps {
  readonly text: string;
  readonly chord?: Parameters<typeof consoleChord>[0];
  readonly isOn: boolean;
  readonly choose: (isOn: boolean) => void;
}

/** A setting of the view that is on or off, with its key if it has one. */
function Choice({ text, chord, isOn, choose }: ChoiceProps) {
  return (
    <label className="item">
      <input type="checkbox" className="tick-box" checked={isOn} onChange={() => choose(!isOn)} />
      {text}
      {chord === undefined ? null : <kbd className="item-note">{chordText(consoleChord(chord))}</kbd>}
    </label>
  );
}

function DensityChoice({ state, session }: ToolProps) {
  const choose = (density: Density) => {
    storeDensity(density);
    session.setDensity(density);
  };
  return (
    <fieldset>
      <legend className="panel-title">Rows</legend>
      {DENSITIES.map((density) => (
        <label className="item" key={density}>
          <input
            type="radio"
            name="density"
            checked={state.density === density}
            onChange={() => choose(density)}
          />
          {DENSITY_NAMES[density]}
          <span className="item-note">{density} px</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ColumnChoiceProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[];
}

function ColumnChoice({ tools: { setUrl }, columns }: ColumnChoiceProps) {
  const paths = columns.filter((column) => column.startsWith('json:'));
  const all: readonly ConsoleColumn[] = [...COLUMN_NAMES, ...paths];
  const toggle = (column: ConsoleColumn) =>
    setUrl(
      {
        cols: columns.includes(column)
          ? columns.filter((other) => other !== column)
          : all.filter((other) => other === column || columns.includes(other)),
      },
      { replace: true },
    );
  return (
    <fieldset>
      <legend className="panel-title">Columns</legend>
      {all.map((column) => (
        <label className="item" key={column}>
          <input
            type="checkbox"
            className="tick-box"
            checked={columns.includes(column)}
            onChange={() => toggle(column)}
          />
          {column === 'dot' ? 'container color' : legibleText(column.replace(/^json:/, 'field '))}
        </label>
      ))}
    </fieldset>
  );
}

interface ActionsProps {
  readonly tools: ToolProps;
  readonly isNarrow: boolean;
  readonly close: () => void;
}

function Actions({ tools, isNarrow, close }: ActionsProps) {
  const { session, url } = tools;
  const { openKeys } = useShell();
  const { DownloadItems } = useSlots();
  const showKeys = () => {
    close();
    openKeys();
  };
  return (
    <>
      <button type="button" className="item" onClick={() => unlessGone(copySelection(session).then(close))}>
        Copy lines <kbd className="item-note">{chordText(consoleChord('copy'))}</kbd>
      </button>
      <button
        type="button"
        className="item"
        onClick={() => unlessGone(copySelection(session, 'named').then(close))}
      >
        Copy with times and pods <kbd className="item-note">{chordText(consoleChord('copy-named'))}</kbd>
      </button>
      <button
        type="button"
        className="item"
        onClick={() => unlessGone(copyMarkdown(session, url).then(close))}
      >
        Copy as Markdown
      </button>
      <button type="button" className="item" onClick={() => unlessGone(copyCommand(tools).then(close))}>
        Copy as logtool command
      </button>
      <button type="button" className="item" onClick={() => unlessGone(copyLink(session, url).then(close))}>
        Copy link to line <kbd className="item-note">{chordText(consoleChord('link'))}</kbd>
      </button>
      <PinActions tools={tools} close={close} />
      {isNarrow ? <DownloadItems tools={tools} close={close} /> : null}
      {isNarrow ? (
        <button type="button" className="item" onClick={switchTheme}>
          Switch theme
        </button>
      ) : null}
      <button type="button" className="item" onClick={showKeys}>
        Keys <kbd className="item-note">?</kbd>
      </button>
      {isNarrow ? (
        <section aria-label="Saved views">
          <p className="panel-title">Saved views</p>
          <SavedViewList close={close} />
        </section>
      ) : null}
    </>
  );
}

function PinActions({ tools, close }: Pick<ActionsProps, 'tools' | 'close'>) {
  const count = tools.url.pins?.length ?? 0;
  return (
    <>
      <button
        type="button"
        className="item"
        onClick={() => {
          togglePin(tools);
          close();
        }}
      >
        Pin line <kbd className="item-note">{chordText(consoleChord('pin'))}</kbd>
      </button>
      <button
        type="button"
        className="item"
        onClick={() => {
          tools.session.showPins(true);
          close();
        }}
      >
        Pinned lines ({count}) <kbd className="item-note">{chordText(consoleChord('pins'))}</kbd>
      </button>
    </>
  );
}
