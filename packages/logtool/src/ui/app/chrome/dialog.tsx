import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly className?: string;
  /** The title is read out only. */
  readonly hideTitle?: boolean;
  readonly children: ReactNode;
}

/**
 * A modal dialog. The shade is our own: radix's Overlay locks scrolling with a style element, which the content
 * security policy refuses; the page itself never scrolls.
 */
export function Dialog({ title, isOpen, onClose, className = '', hideTitle = false, children }: DialogProps) {
  // Without a trigger of its own radix gives the focus back to nobody.
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
