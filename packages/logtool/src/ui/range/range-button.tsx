import { Icon } from '../app/chrome/icons.tsx';
import { Popover } from '../app/chrome/popover.tsx';
import type { ToolProps } from '../console/tools/slots.ts';
import { serverClock } from '../frame/server-clock.ts';
import './range.css';
import { RangePanel } from './range-panel.tsx';
import { rangeLabel } from './range-text.ts';

/** Shows the range of the logs; a click opens the panel that changes it. */
export function RangeButton(tools: ToolProps) {
  const { url, clock } = tools;
  const label = rangeLabel(url, { clock, nowMs: serverClock.nowMs() });
  return (
    <Popover
      label="Time range"
      trigger={
        <>
          <span className="range-label">{label}</span> <Icon name="chevron" />
        </>
      }
      triggerClass="button range-button"
      triggerLabel={`Time range: ${label}`}
      align="end"
      className="range-panel"
    >
      {(close) => <RangePanel tools={tools} close={close} />}
    </Popover>
  );
}
