import { Dialog } from '../app/chrome/dialog.tsx';
import type { Counts } from './filter.ts';
import type { HomeUrl } from './home-url.ts';
import { Sidebar } from './sidebar.tsx';

interface DrawerProps {
  readonly url: HomeUrl;
  readonly counts: Counts | undefined;
  readonly saysAgent: boolean;
  readonly onClose: () => void;
}

/** The sidebar where there is no room for one. */
export function Drawer({ url, counts, saysAgent, onClose }: DrawerProps) {
  return (
    <Dialog title="Workloads" isOpen onClose={onClose} className="drawer" hideTitle>
      <Sidebar url={url} counts={counts} saysAgent={saysAgent} onGo={onClose} />
    </Dialog>
  );
}
