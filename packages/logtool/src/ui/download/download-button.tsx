import { Icon } from '../app/chrome/icons.tsx';
import { Popover } from '../app/chrome/popover.tsx';
import type { ToolProps } from '../console/tools/slots.ts';
import { DownloadPanel } from './download-panel.tsx';

export function DownloadButton(tools: ToolProps) {
  return (
    <Popover
      label="Download"
      trigger={<Icon name="down" />}
      triggerClass="icon-button"
      triggerLabel="Download lines"
      title="Download lines"
      align="end"
      className="download-panel"
    >
      {(close) => <DownloadPanel tools={tools} close={close} />}
    </Popover>
  );
}
