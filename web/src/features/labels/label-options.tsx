import { type Copies, labelsPerPage, MAX_LABELS, OWN_SIZE, type Size, sheets } from '@perfume/domain/labels';
import { readTypedNumber } from '@perfume/domain/typed-number';
import { useState } from 'react';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { SelectFilter } from '../../ui/form/filter-field.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { Stepper } from '../../ui/form/stepper.tsx';
import { useWords } from '../../words/words.tsx';
import { readUnits } from '../ledger/typed-units.ts';
import { type LabelChoices, lengthOf, parts, sheetOf, symbols } from './label-choices.ts';
import styles from './label-options.module.css';

type OptionsProps = {
  choices: LabelChoices;
  onChoose: (change: Partial<LabelChoices>) => void;
  copies: Copies;
  onCopies: (copies: Copies) => void;
};

/** The form for how labels are printed. Every choice shows in the preview at once. */
export function LabelOptions({ choices, onChoose, copies, onCopies }: OptionsProps) {
  const { say } = useWords();
  const { sheet, own, symbol, shown, first } = choices;
  const perPage = labelsPerPage(sheetOf(choices));
  return (
    <>
      <SelectFilter
        label={say('labels.sheet')}
        value={sheet}
        options={[...(Object.keys(sheets) as (keyof typeof sheets)[]), 'own' as const].map((value) => ({
          value,
          text: say(`labels.sheet.${value}`),
        }))}
        onPick={(value) => onChoose({ sheet: value as LabelChoices['sheet'], first: 0 })}
      />
      {sheet === 'own' && <OwnSize size={own} onChange={(size) => onChoose({ own: size })} />}
      {perPage > 1 && (
        <FirstPosition
          key={sheet}
          first={first}
          perPage={perPage}
          onChange={(position) => onChoose({ first: position })}
        />
      )}
      <div>
        <RadioGroup
          label={say('labels.symbol')}
          value={symbol}
          options={symbols.map((value) => ({ value, text: say(`labels.symbol.${value}`) }))}
          onChoose={(value) => onChoose({ symbol: value })}
        />
        <p className={styles.hint}>{say(`labels.symbol.${symbol}.hint`)}</p>
      </div>
      <fieldset className={styles.parts}>
        <legend>{say('labels.shown')}</legend>
        {parts.map((part) => (
          <Checkbox
            key={part}
            label={say(`labels.shown.${part}`)}
            checked={shown.includes(part)}
            onChange={({ target }) =>
              onChoose({ shown: parts.filter((one) => (one === part ? target.checked : shown.includes(one))) })
            }
          />
        ))}
      </fieldset>
      <CopiesChoice copies={copies} onChange={onCopies} />
    </>
  );
}

const copiesKinds = ['one', 'number', 'onHand'] as const;

function CopiesChoice({ copies, onChange }: { copies: Copies; onChange: (copies: Copies) => void }) {
  const { say, locale } = useWords();
  const format = (number: number) => new Intl.NumberFormat(locale, { useGrouping: false }).format(number);
  const [kind, setKind] = useState<(typeof copiesKinds)[number]>('one');
  const [text, setText] = useState(() => format(2));
  const typed = readUnits(text, MAX_LABELS);
  const choose = (next: typeof kind, nextText = text) => {
    setKind(next);
    setText(nextText);
    const units = readUnits(nextText, MAX_LABELS);
    if (next === 'number') onChange(units.ok ? units.units : copies === 'onHand' ? 1 : copies);
    else onChange(next === 'one' ? 1 : 'onHand');
  };
  return (
    <div className={styles.copies}>
      <RadioGroup
        label={say('labels.copies')}
        value={kind}
        options={copiesKinds.map((value) => ({ value, text: say(`labels.copies.${value}`) }))}
        onChoose={choose}
      />
      {kind === 'number' && (
        <Stepper
          label={say('labels.copies.each')}
          fewerLabel={say('units.fewer')}
          moreLabel={say('units.more')}
          value={text}
          number={typed.ok ? typed.units : null}
          format={format}
          onChange={(next) => choose('number', next)}
          error={typed.ok ? undefined : say('labels.number.wrong', { most: MAX_LABELS })}
        />
      )}
    </div>
  );
}

type FirstPositionProps = { first: number; perPage: number; onChange: (first: number) => void };

/** Lets people use up a sheet that some labels were already taken from. */
function FirstPosition({ first, perPage, onChange }: FirstPositionProps) {
  const { say, number } = useWords();
  const [text, setText] = useState(() => number(first + 1));
  const isWrong = !readUnits(text, perPage).ok;
  return (
    <TextField
      label={say('labels.first')}
      hint={say('labels.first.hint', { most: perPage })}
      error={isWrong ? say('labels.number.wrong', { most: perPage }) : undefined}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const typed = readUnits(target.value, perPage);
        if (typed.ok) onChange(typed.units - 1);
      }}
    />
  );
}

function OwnSize({ size, onChange }: { size: Size; onChange: (size: Size) => void }) {
  const { say } = useWords();
  return (
    <div className={styles.size}>
      <Length label={say('labels.width')} length={size.width} onChange={(width) => onChange({ ...size, width })} />
      <Length label={say('labels.height')} length={size.height} onChange={(height) => onChange({ ...size, height })} />
    </div>
  );
}

type LengthProps = { label: string; length: number; onChange: (length: number) => void };

function Length({ label, length, onChange }: LengthProps) {
  const { say, number } = useWords();
  const [text, setText] = useState(() => number(length));
  const read = (typed: string) => {
    const plain = readTypedNumber(typed);
    return plain.ok ? lengthOf(plain.plain) : null;
  };
  return (
    <TextField
      label={label}
      error={read(text) === null ? say('labels.length.wrong', OWN_SIZE) : undefined}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const typed = read(target.value);
        if (typed !== null) onChange(typed);
      }}
    />
  );
}
