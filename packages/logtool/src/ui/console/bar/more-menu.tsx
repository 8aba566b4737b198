import { COLUMN_NAMES, DEFAULT_COLUMNS } from '../../../domain/columns.ts';
import { legibleText } from '../../ansi/plain-text.ts';
import { Icon } from '../../app/chrome/icons.tsx';
import { Popover } from '../../app/chrome/popover.tsx';
import { useShell } from '../../app/shell-context.ts';
import { DownloadPanel } from '../../download/download-panel.tsx';
import { switchTheme } from '../../theme/theme.ts';
import { unlessGone } from '../../worker/session/log-worker-client.ts';
import { DENSITIES, type Density } from '../session/console-state.ts';
import type { ToolProps } from '../session/slots.ts';
import type { ConsoleColumn } from '../url/console-url.ts';
import { copyLink, copySelection } from './copy.ts';
import { storeDensity } from './density.ts';

const DENSITY_NAMES: { readonly [D in Density]: string } = { 20: 'Dense', 22: 'Normal', 28: 'Airy' };

interface MoreMenuProps {
  readonly tools: ToolProps;
  readonly columns: readonly ConsoleColumn[] | undefined;
  readonly isNarrow: boolean;
}

/** What is needed now and then: columns, wrapping, density, links. */
export function MoreMenu({ tools, columns = DEFAULT_COLUMNS, isNarrow }: MoreMenuProps) {
  const { state, session, url, setUrl } = tools;
  const { openKeys } = useShell();
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
          <label className="item">
            <input
              type="checkbox"
              className="tick-box"
              checked={url.wrap === true}
              onChange={() => setUrl({ wrap: url.wrap !== true }, { replace: true })}
            />
            Wrap long lines
            <kbd className="item-note">z</kbd>
          </label>
          <fieldset>
            <legend className="panel-title">Rows</legend>
            {DENSITIES.map((density) => (
              <label className="item" key={density}>
                <input
                  type="radio"
                  name="density"
                  checked={state.density === density}
                  onChange={() => {
                    storeDensity(density);
                    session.setDensity(density, url.wrap === true);
                  }}
                />
                {DENSITY_NAMES[density]}
                <span className="item-note">{density} px</span>
              </label>
            ))}
          </fieldset>
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
                {column === 'dot'
                  ? 'colour of the container'
                  : legibleText(column.replace(/^json:/, 'field '))}
              </label>
            ))}
          </fieldset>
          <div className="panel-rule" />
          <button
            type="button"
            className="item"
            onClick={() => unlessGone(copySelection(session).then(close))}
          >
            Copy lines <kbd className="item-note">c</kbd>
          </button>
          <button
            type="button"
            className="item"
            onClick={() => unlessGone(copyLink(session, url).then(close))}
          >
            Copy link to line <kbd className="item-note">l</kbd>
          </button>
          {isNarrow ? <DownloadPanel tools={tools} close={close} /> : null}
          {isNarrow ? (
            <button type="button" className="item" onClick={switchTheme}>
              Switch colours
            </button>
          ) : null}
          <button
            type="button"
            className="item"
            onClick={() => {
              close();
              openKeys();
            }}
          >
            Keys <kbd className="item-note">?</kbd>
          </button>
        </>
      )}
    </Popover>
  );
}
