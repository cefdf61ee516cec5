/** What lies above the page: dialogs and menus. Both are the browser's own, so focus and Escape are as people know them. */
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./controls";

interface DialogProps {
  title: string;
  wide?: boolean;
  close: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** Makes the dialog a form. */
  submit?: () => void;
}

export function Dialog({ title, wide, close, children, footer, submit }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    // Whoever opened a form wants its first field, not the button that closes it.
    dialog?.querySelector<HTMLElement>("input:not(:disabled), select:not(:disabled), textarea")?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const inside = (
    <>
      <header>
        <h2 id={id}>{title}</h2>
        <Icon label="Close" onClick={close}>
          ✕
        </Icon>
      </header>
      {children}
      {footer && <footer>{footer}</footer>}
    </>
  );
  return (
    <dialog
      ref={ref}
      className={`dialog ${wide ? "wide" : ""}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {submit ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {inside}
        </form>
      ) : (
        <div>{inside}</div>
      )}
    </dialog>
  );
}

export interface Choice {
  label: string;
  act: () => void;
  hint?: string;
  disabled?: boolean;
  pressed?: boolean;
}

interface MenuProps {
  /** What the button says; its accessible name if it is a sign. */
  label: string;
  button: ReactNode;
  choices: Choice[];
  className?: string;
}

/** A button that opens a list of acts. */
export function Menu({ label, button, choices, className = "button quiet icon" }: MenuProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open && <MenuList anchor={anchor} label={label} choices={choices} close={() => setOpen(false)} />}
    </>
  );
}

interface ListProps {
  anchor: RefObject<HTMLElement | null>;
  label: string;
  choices: Choice[];
  close: () => void;
}

function MenuList({ anchor, label, choices, close }: ListProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [menu, at] = [ref.current, anchor.current?.getBoundingClientRect()];
    if (!menu || !at) return;
    menu.showPopover();
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    const below = at.bottom + 4;
    menu.style.top = `${below + height > innerHeight ? Math.max(8, at.top - height - 4) : below}px`;
    menu.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  }, [anchor]);
  const move = (event: React.KeyboardEvent) => {
    event.stopPropagation();
    const items = [...(ref.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items.at(to % items.length)?.focus();
    } else if (event.key === "Tab") close();
  };
  return (
    <div
      ref={ref}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="menu"
      onKeyDown={move}
      onToggle={(event) => {
        if (event.newState === "closed") {
          close();
          anchor.current?.focus();
        }
      }}
    >
      {choices.map((choice) => (
        <button
          key={choice.label}
          type="button"
          role="menuitem"
          disabled={choice.disabled}
          onClick={() => {
            ref.current?.hidePopover();
            choice.act();
          }}
        >
          {choice.pressed !== undefined && <span aria-hidden="true">{choice.pressed ? "✓" : " "}</span>}
          {choice.label}
          {choice.hint && <span className="hint">{choice.hint}</span>}
        </button>
      ))}
    </div>
  );
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly { id: T; label: string }[];
  chosen: T;
  choose: (tab: T) => void;
}

/** Tabs whose arrows move between them. */
export function Tabs<T extends string>({ label, tabs, chosen, choose }: TabsProps<T>) {
  const ref = useRef<HTMLDivElement>(null);
  const move = (event: React.KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs.at(to % tabs.length);
    if (!next) return;
    choose(next.id);
    ref.current?.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus();
  };
  return (
    <div ref={ref} className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === chosen}
          tabIndex={tab.id === chosen ? 0 : -1}
          onClick={() => choose(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
