import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly className?: string;
  /** Only screen readers announce the title. */
  readonly hideTitle?: boolean;
  readonly children: ReactNode;
}

/**
 * A modal dialog. It draws its own shade: radix's Overlay locks scrolling with a style element, which the
 * content security policy blocks; the page itself never scrolls.
 */
export function Dialog({ title, isOpen, onClose, className = '', hideTitle = false, children }: DialogProps) {
  // Without its own trigger, radix does not restore the focus.
  const [before] = useState(() => document.activeElement);
  const giveBack = (event: Event) => {
    event.preventDefault();
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="shade" />
        <Radix.Content
          className={`dialog ${className}`}
          aria-describedby={undefined}
          onCloseAutoFocus={giveBack}
        >
          <Radix.Title className={hideTitle ? 'sr-only' : 'dialog-title'}>{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
