import { useState } from 'react';
import type { LogQuery } from '../../contract/log-query.ts';
import { useApp } from '../app/app-context.ts';
import type { ToolProps } from '../console/session/slots.ts';
import { viewPlanOf } from '../console/url/view-plan.ts';
import { rangeLabel } from '../range/range-text.ts';
import './download.css';
import { FILE_KINDS, type FileKind } from './line-format.ts';
import { followDownload, makeFile, saveFile } from './save-file.ts';

const KIND_NAMES: Readonly<Record<FileKind, string>> = { text: 'Text', jsonl: 'JSON Lines', csv: 'CSV' };

interface DownloadPanelProps {
  readonly tools: ToolProps;
  readonly close: () => void;
}

/** What to put into a file, and as what. Selection and view come from the page, a range whole from the cluster. */
export function DownloadPanel({ tools, close }: DownloadPanelProps) {
  const { state, session, url, worker, clock } = tools;
  const { api, session: login } = useApp();
  const [kind, setKind] = useState<FileKind>('text');
  const [isBusy, setBusy] = useState(false);
  const { selected, status } = state;
  const held = async (of: 'selection' | 'view') => {
    setBusy(true);
    try {
      const { file, lines } = await makeFile({
        worker,
        kind,
        selected: of === 'selection' ? selected : undefined,
        sources: () => session.state().sources,
      });
      saveFile(file, url.src, kind, Date.now());
      session.say(`Downloaded ${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`);
      close();
    } catch (error) {
      session.say(`The download failed: ${error instanceof Error ? error.message : String(error)}`);
      setBusy(false);
    }
  };
  const range = async () => {
    // A server that was started again knows another token; a link cannot ask for it once it is under way.
    await login.renew(login.token);
    const { from, to } = viewPlanOf(url, Date.now());
    const query: LogQuery = {
      id: 0,
      sources: [...url.src],
      selection: { kind: 'all' },
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    const href = api.url('download', {
      params: { context: url.ctx },
      query: { query: JSON.stringify(query), format: kind, token: login.token },
    });
    followDownload(href);
    session.say('The download has begun; the browser shows how far it is');
    close();
  };
  const label =
    url.last === undefined && url.from === undefined && url.to === undefined
      ? 'All logs'
      : rangeLabel(url, { clock, nowMs: Date.now() });
  return (
    <div className="download" aria-busy={isBusy}>
      <fieldset className="download-kinds">
        <legend className="panel-title">Download as</legend>
        {FILE_KINDS.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="download-kind"
              value={each}
              checked={kind === each}
              onChange={() => setKind(each)}
            />
            {KIND_NAMES[each]}
          </label>
        ))}
      </fieldset>
      <button
        type="button"
        className="item"
        disabled={isBusy || selected.size === 0}
        onClick={() => void held('selection')}
      >
        Selection
        <span className="item-note">
          {selected.size === 0 ? 'nothing selected' : rowsText(selected.size)}
        </span>
      </button>
      <button
        type="button"
        className="item"
        disabled={isBusy || status.rows === 0}
        onClick={() => void held('view')}
      >
        This view, as it is filtered
        <span className="item-note">{rowsText(status.rows)}</span>
      </button>
      <button
        type="button"
        className="item"
        disabled={isBusy || url.src.length === 0}
        onClick={() => void range()}
      >
        {label}, every line
        <span className="item-note">from the cluster</span>
      </button>
    </div>
  );
}

function rowsText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;
}
