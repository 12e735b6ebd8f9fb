import { dayText } from '@perfume/domain/insights';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Combobox } from '../../ui/form/combobox.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { useSyncedText } from '../../ui/form/use-synced-text.ts';
import { useWords } from '../../words/words.tsx';
import styles from './insights-filter-bar.module.css';
import { type InsightsFilters, type Period, periods } from './insights-filters.ts';
import { type InsightsScope, MAX_ROWS, suppliersQuery } from './insights-query.ts';
import { isSame } from './suppliers.tsx';

type FilterChange = { period?: Period; from?: string; to?: string; supplier?: string };
type FiltersProps = {
  filters: InsightsFilters;
  scope: InsightsScope;
  today: number;
  onChange: (change: FilterChange, typed?: boolean) => void;
};

export function InsightsFilterBar({ filters, scope, today, onChange }: FiltersProps) {
  const { say } = useWords();
  return (
    <div className={styles.filters}>
      <RadioGroup
        label={say('insights.period')}
        value={filters.period}
        options={periods.map((period) => ({ value: period, text: say(`insights.period.${period}`) }))}
        onChoose={(period) => onChange({ period })}
      />
      {filters.period === 'custom' && <CustomDays filters={filters} today={today} onChange={onChange} />}
      <SupplierField chosen={filters.supplier} scope={scope} onChoose={(supplier) => onChange({ supplier }, true)} />
    </div>
  );
}

function CustomDays({ filters, today, onChange }: Pick<FiltersProps, 'filters' | 'today' | 'onChange'>) {
  const { say } = useWords();
  const { chosen, wrong } = filters;
  return (
    <div className={styles.days}>
      <DayField
        label={say('insights.from')}
        value={chosen.from}
        max={dayText(today)}
        error={wrong === null ? undefined : say(wrong)}
        onChoose={(from) => onChange({ from }, true)}
      />
      <DayField
        label={say('insights.to')}
        value={chosen.to}
        max={dayText(today)}
        onChoose={(to) => onChange({ to }, true)}
      />
    </div>
  );
}

type DayFieldProps = {
  label: string;
  value: string;
  max: string;
  error?: string | undefined;
  onChoose: (day: string) => void;
};

/** A date field. A half-typed date stays in the field and is not applied yet. */
function DayField({ value, onChoose, ...rest }: DayFieldProps) {
  const [typed, setTyped] = useSyncedText(value);
  return (
    <TextField
      type="date"
      {...rest}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.value !== '') onChoose(target.value);
      }}
    />
  );
}

const TYPING_MS = 350;

/**
 * Suggests suppliers, those with the highest stock value first. Typed text is applied when it is the name of a
 * supplier, or empty.
 */
function SupplierField({
  chosen,
  scope,
  onChoose,
}: {
  chosen: string;
  scope: InsightsScope;
  onChoose: (name: string) => void;
}) {
  const { say } = useWords();
  const { data } = useQuery(suppliersQuery(scope, MAX_ROWS));
  const names = data?.suppliers.map(({ supplierName }) => supplierName) ?? [];
  const [typed, setTyped] = useSyncedText(chosen);
  const known = names.find((name) => isSame(name, typed.trim()));
  // Only the first 200 suppliers are loaded. If there are more, any typed name may be one of them and is applied.
  const mayBeMore = data !== undefined && data.total.suppliers > names.length;
  const typedSupplier = typed.trim() === '' ? '' : (known ?? (mayBeMore ? typed.trim() : null));
  useEffect(() => {
    if (typedSupplier === null || typedSupplier === chosen) return;
    const timer = setTimeout(() => onChoose(typedSupplier), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typedSupplier, chosen, onChoose]);
  return (
    <Combobox
      label={say('insights.supplier')}
      openLabel={say('insights.supplier.show')}
      emptyLabel={say('insights.supplier.none')}
      placeholder={say('insights.supplier.any')}
      options={names}
      value={typed}
      onChange={setTyped}
    />
  );
}
