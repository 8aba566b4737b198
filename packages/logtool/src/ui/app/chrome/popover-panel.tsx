import { Popover as Radix } from 'radix-ui';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';

interface PopoverPanelProps {
  readonly label: string;
  readonly align: 'start' | 'end';
  readonly className: string;
  /** The panel opens below this button and returns the focus to it. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function PopoverPanel({ label, align, className, button, onClose, children }: PopoverPanelProps) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Anchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <Radix.Portal>
        <Radix.Content
          className={`panel ${className}`}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onKeyDown={moveFocus}
          onInteractOutside={(event) => {
            // The button closes the panel itself; closing it here too would open it again.
            if (button.current?.contains(event.target as Node)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === null || document.activeElement === document.body)
              button.current?.focus();
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button, a[href]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[Math.min(Math.max(at + step, 0), items.length - 1)]?.focus();
  event.preventDefault();
}
