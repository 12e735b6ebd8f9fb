import { useCombobox } from 'downshift';
import { Search, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { strokeOf } from './keyboard/key-strokes.ts';
import { useReturnFocus } from './keyboard/return-focus.ts';
import { isMac } from './keyboard/shortcuts.ts';
import styles from './palette.module.css';

export type PaletteOption = {
  key: string;
  text: string;
  before: ReactNode;
  /** A second line, below the text. */
  below?: string | undefined;
  note?: string | undefined;
  lang?: string | undefined;
  /** What screen readers say instead of text, second line and note. */
  spoken?: string | undefined;
  /** The option can be read but not chosen. Its note says why. */
  disabled?: boolean | undefined;
};

export type PaletteGroup<T extends PaletteOption> = { heading: string; options: readonly T[] };

type PaletteProps<T extends PaletteOption> = {
  title: string;
  listLabel: string;
  placeholder: string;
  closeLabel: string;
  /** The shortcut that opens the palette. It also closes the palette. */
  keys: string;
  text: string;
  onText: (text: string) => void;
  groups: readonly PaletteGroup<T>[];
  onChoose: (option: T) => void;
  /** Called when Enter is pressed before there are results. */
  onEarlyEnter: () => void;
  onClose: () => void;
  /** Shown below the list: a message that results are loading, failed to load or do not exist. */
  children?: ReactNode;
  foot?: ReactNode;
};

/** A dialog with a search field and its results below: arrow keys move, Enter chooses, Escape closes. */
export function Palette<T extends PaletteOption>(props: PaletteProps<T>) {
  const { title, listLabel, placeholder, closeLabel, keys, text, onText, groups, onChoose, onEarlyEnter, onClose } =
    props;
  const returnFocus = useReturnFocus();
  const options = groups.flatMap((group) => group.options);
  const [active, setActive] = useState(0);
  const box = useCombobox<T>({
    items: options,
    itemToString: () => text,
    isOpen: true,
    inputValue: text,
    selectedItem: null,
    highlightedIndex: Math.min(active, options.length - 1),
    // Every change of the text highlights the first result.
    defaultHighlightedIndex: 0,
    onHighlightedIndexChange: ({ highlightedIndex }) => setActive(Math.max(0, highlightedIndex)),
    onSelectedItemChange: ({ selectedItem }) => selectedItem && onChoose(selectedItem),
    // The list is always open. By default it would close, and choose the highlighted result, when the focus leaves it.
    // Choosing a disabled option changes nothing, not even which one is highlighted: a second Enter would choose another.
    stateReducer: (state, { type, changes }) => (CLOSING.has(type) || changes.selectedItem?.disabled ? state : changes),
  });

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter' && options.length === 0 && !event.nativeEvent.isComposing) onEarlyEnter();
    if (strokeOf(event, isMac()) !== keys) return;
    event.preventDefault();
    onClose();
  }

  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className={styles.scrim} data-holds-page="" data-takes-scans="">
          <Radix.Content
            className={styles.palette}
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocus}
            onKeyDown={press}
          >
            <Radix.Title className="visually-hidden">{title}</Radix.Title>
            <div className={styles.head}>
              <Icon of={Search} />
              <input
                {...box.getInputProps({
                  placeholder,
                  maxLength: 200,
                  'aria-label': title,
                  onChange: (event) => {
                    onText(event.currentTarget.value);
                    setActive(0);
                  },
                })}
                className={styles.input}
                enterKeyHint="go"
                spellCheck={false}
              />
              <Radix.Close asChild>
                <IconButton label={closeLabel}>
                  <Icon of={X} />
                </IconButton>
              </Radix.Close>
            </div>
            <div
              {...box.getMenuProps({ 'aria-label': listLabel })}
              className={options.length > 0 ? styles.list : styles.none}
            >
              {groups
                .filter((group) => group.options.length > 0)
                .map((group) => (
                  // biome-ignore lint/a11y/useSemanticElements: a listbox may not contain a fieldset
                  <div key={group.heading} role="group" aria-label={group.heading} className={styles.group}>
                    <p className={styles.heading} aria-hidden="true">
                      {group.heading}
                    </p>
                    {group.options.map((option) => {
                      const index = options.indexOf(option);
                      return (
                        <div
                          key={option.key}
                          {...box.getItemProps({
                            item: option,
                            index,
                            'aria-label': option.spoken,
                            'aria-disabled': option.disabled,
                          })}
                          className={
                            index === box.highlightedIndex ? `${styles.option} ${styles.active}` : styles.option
                          }
                        >
                          <span className={styles.before}>{option.before}</span>
                          <span className={styles.lines}>
                            <bdi className={styles.text} lang={option.lang}>
                              {option.text}
                            </bdi>
                            {option.below !== undefined && <bdi className={styles.below}>{option.below}</bdi>}
                          </span>
                          {option.note !== undefined && <bdi className={styles.note}>{option.note}</bdi>}
                        </div>
                      );
                    })}
                  </div>
                ))}
            </div>
            {props.children}
            {props.foot !== undefined && <div className={styles.foot}>{props.foot}</div>}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

const types = useCombobox.stateChangeTypes;
const CLOSING = new Set<unknown>([types.InputBlur, types.InputClick, types.InputKeyDownEscape, types.MenuMouseLeave]);
