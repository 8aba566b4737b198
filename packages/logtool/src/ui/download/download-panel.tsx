import { useState } from 'react';
import type { WireError } from '../../contract/error.ts';
import type { LogQuery } from '../../contract/log-query.ts';
import { request } from '../api/request.ts';
import type { ToolProps } from '../console/tools/slots.ts';
import { viewPlanOf } from '../console/url/view-plan.ts';
import { serverClock } from '../frame/server-clock.ts';
import { countText } from '../messages/count.ts';
import { rangeLabel } from '../range/range-text.ts';
import { useApp } from '../shell/app-context.ts';
import type { EntryId } from '../worker/protocol/protocol.ts';
import { viewQuery } from '../worker/protocol/view-query.ts';
import './download.css';
import { logMessageOf } from '../messages/log-message-of.ts';
import { causeText } from '../messages/page.ts';
import { FILE_KINDS, type FileKind } from './line-format.ts';
import { followDownload, makeFile, saveFile } from './save-file.ts';

const KIND_NAMES: Readonly<Record<FileKind, string>> = { text: 'Text', jsonl: 'JSON Lines', csv: 'CSV' };

interface DownloadPanelProps {
  readonly tools: ToolProps;
  readonly close: () => void;
}

/**
 * Chooses the content and format of a file. The selection and the view come from the page, a whole range from
 * the cluster.
 */
export function DownloadPanel({ tools, close }: DownloadPanelProps) {
  const { state, url, clock } = tools;
  const [kind, setKind] = useState<FileKind>('text');
  const { isBusy, saveHeld, saveRange } = useDownloads(tools, kind, close);
  const { selected, status } = state;
  const rows = status.rows - status.facts.rows;
  const isAll = url.last === undefined && url.from === undefined && url.to === undefined;
  const label = isAll ? 'All logs' : rangeLabel(url, { clock, nowMs: serverClock.nowMs() });
  return (
    <div className="download" aria-busy={isBusy}>
      <KindChoice kind={kind} onChange={setKind} />
      <Item
        name="Selection"
        note={selected.size === 0 ? 'nothing selected' : countText(selected.size, 'row')}
        disabled={isBusy || selected.size === 0}
        run={() => saveHeld(selected)}
      />
      <Item
        name="This view, as filtered"
        note={countText(rows, 'row')}
        disabled={isBusy || rows === 0}
        run={() => saveHeld(undefined)}
      />
      <Item
        name={`${label}, every line`}
        note="from the cluster"
        disabled={isBusy || url.src.length === 0}
        run={saveRange}
      />
    </div>
  );
}

interface KindChoiceProps {
  readonly kind: FileKind;
  readonly onChange: (kind: FileKind) => void;
}

function KindChoice({ kind, onChange }: KindChoiceProps) {
  return (
    <fieldset className="download-kinds">
      <legend className="panel-title">Download as</legend>
      {FILE_KINDS.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="download-kind"
            value={each}
            checked={kind === each}
            onChange={() => onChange(each)}
          />
          {KIND_NAMES[each]}
        </label>
      ))}
    </fieldset>
  );
}

interface ItemProps {
  readonly name: string;
  readonly note: string;
  readonly disabled: boolean;
  readonly run: () => Promise<void>;
}

function Item({ name, note, disabled, run }: ItemProps) {
  return (
    <button type="button" className="item" disabled={disabled} onClick={() => void run()}>
      {name}
      <span className="item-note">{note}</span>
    </button>
  );
}

/** What happened and why, in one text. */
function reasonOf(error: WireError): string {
  const { what, why } = logMessageOf(error);
  return why === undefined ? what : `${what}: ${why}`;
}

interface Downloads {
  readonly isBusy: boolean;
  /** Saves the selected lines, or (undefined) the whole view, as a file made in the page. */
  readonly saveHeld: (selected: ReadonlySet<EntryId> | undefined) => Promise<void>;
  /** Downloads every line of the range as a file from the server. */
  readonly saveRange: () => Promise<void>;
}

function useDownloads({ session, url, worker }: ToolProps, kind: FileKind, close: () => void): Downloads {
  const { api, session: login } = useApp();
  const [isBusy, setBusy] = useState(false);
  const saveHeld: Downloads['saveHeld'] = async (selected) => {
    setBusy(true);
    try {
      const sources = () => session.state().sources;
      const { file, lines } = await makeFile({ worker, kind, selected, sources });
      saveFile(file, url.src, kind, Date.now());
      session.notify({ code: 'downloaded', lines });
      close();
    } catch (error) {
      session.notify({ code: 'download-failed', cause: causeText(error) });
      setBusy(false);
    }
  };
  const saveRange = async () => {
    // A restarted server has another token, and a download link cannot renew it.
    await login.renew(login.token);
    const plan = viewPlanOf(url, serverClock.nowMs());
    const query: LogQuery = {
      id: 0,
      ...viewQuery(plan),
      selection: { kind: 'all' },
      from: plan.from,
      to: plan.to,
    };
    const href = api.url('GET /contexts/{context}/logs/download', {
      params: { context: url.ctx },
      query: { query: JSON.stringify(query), format: kind, token: login.token },
    });
    close();
    session.notify({ code: 'download-awaited' });
    // The browser would save a refusal as a file, or show none: the page asks first whether the file can begin.
    const begun = await request((...args) => fetch(...args), href, {});
    if (!begun.ok) {
      session.notify({ code: 'download-failed', cause: reasonOf(begun.error.error) });
      return;
    }
    await begun.body.body?.cancel();
    followDownload(href);
    session.notify({ code: 'download-started' });
  };
  return { isBusy, saveHeld, saveRange };
}
