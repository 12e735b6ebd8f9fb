import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { type AllWords, type Key, loadLanguage, wordsOf } from './catalogues.ts';
import { defaultLanguage, type Language, languages } from './languages.ts';
import { format, formatterFor } from './message.ts';

/** The placeholders of a text: every `{name}` in it needs a value. */
type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
type TextOf<K extends Key> = AllWords[K] extends string
  ? AllWords[K]
  : Extract<AllWords[K], { other: string }>['other'];
type Given<K extends Key> = [Placeholders<TextOf<K>>] extends [never]
  ? []
  : [Record<Placeholders<TextOf<K>>, string | number>];

type Say = <K extends Key>(key: K, ...values: Given<K>) => string;

export type Words = {
  language: Language;
  dir: 'ltr' | 'rtl';
  locale: string;
  say: Say;
  number: (value: number) => string;
  /** Formats an amount in cents, such as "$148.00". */
  money: (cents: number) => string;
  date: (time: number) => string;
  speak: (language: Language) => Promise<void>;
};

const WordsContext = createContext<Words | null>(null);

export function useWords(): Words {
  const words = use(WordsContext);
  if (words === null) throw new Error('useWords outside WordsProvider');
  return words;
}

type ProviderProps = { first: Language; onChange?: (language: Language) => void; children: ReactNode };

export function WordsProvider({ first, onChange, children }: ProviderProps) {
  const [language, setLanguage] = useState(first);
  const speak = useCallback(
    async (next: Language) => {
      await loadLanguage(next);
      setLanguage(next);
      onChange?.(next);
    },
    [onChange],
  );
  const words = useMemo(() => speaking(language, speak), [language, speak]);
  useEffect(() => {
    document.documentElement.lang = languages[language].lang;
    document.documentElement.dir = languages[language].dir;
  }, [language]);
  return <WordsContext value={words}>{children}</WordsContext>;
}

export function speaking(language: Language, speak: Words['speak'] = async () => {}): Words {
  return { ...formattersFor(language), speak };
}

type Formatters = Omit<Words, 'speak'>;
const cached = new Map<Language, Formatters>();

/** Returns the formatters of a language. Each language has one set, because creating formatters is slow. */
function formattersFor(language: Language): Formatters {
  const formatters = cached.get(language) ?? createFormatters(language);
  cached.set(language, formatters);
  return formatters;
}

function createFormatters(language: Language): Formatters {
  const { locale, dir } = languages[language];
  const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
  // Made when it is needed: it takes longer than the others, and public pages show no date.
  let dates: Intl.DateTimeFormat | undefined;
  return {
    language,
    dir,
    locale,
    say: (key, ...values) => {
      const message = wordsOf(language, key) ?? wordsOf(defaultLanguage, key) ?? key;
      return format(message, locale, values[0]);
    },
    number: (value) => formatterFor(locale).format(value),
    // Some languages would write "US$"; prices have "$" in all languages, as in the spec.
    money: (cents) =>
      dollars
        .formatToParts(cents / 100)
        .map(({ type, value }) => (type === 'currency' ? '$' : value))
        .join(''),
    date: (time) => {
      dates ??= new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
      return dates.format(time);
    },
  };
}
