import { Dialog } from '../app/chrome/dialog.tsx';
import type { Counts } from './list/filter.ts';
import { Sidebar } from './sidebar.tsx';
import type { HomeUrl } from './url/home-url.ts';

interface DrawerProps {
  readonly url: HomeUrl;
  readonly counts: Counts | 'unknown' | undefined;
  readonly onClose: () => void;
}

/** The sidebar as a drawer, for windows too narrow for a sidebar. */
export function Drawer({ url, counts, onClose }: DrawerProps) {
  return (
    <Dialog title="Workloads" isOpen onClose={onClose} className="drawer" hideTitle>
      <Sidebar url={url} counts={counts} onGo={onClose} />
    </Dialog>
  );
}
