/** One text of the interface. A text with a `count` has one form per plural category of its language. */
export type Message = string | Plural;
type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Record<string, Message>;

/** The type of a catalogue in another language: it has the same keys, and a plural text stays a plural text. */
export type Translation<Source extends Catalogue> = {
  [Key in keyof Source]: Source[Key] extends string ? string : Plural;
};

export type Values = Record<string, string | number>;

/** Fills in placeholders such as `{name}`. `count` selects the plural form. Numbers get the language's own digits. */
export function format(message: Message, locale: string, values: Values = {}): string {
  const text = typeof message === 'string' ? message : pluralForm(message, locale, values.count);
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? formatterFor(locale).format(value) : (value ?? '');
  });
}

function pluralForm(message: Plural, locale: string, count: string | number | undefined): string {
  const rule = rulesFor(locale).select(Number(count ?? 0));
  return message[rule] ?? message.other;
}

const rules = new Map<string, Intl.PluralRules>();
const formatters = new Map<string, Intl.NumberFormat>();

function rulesFor(locale: string): Intl.PluralRules {
  return rules.get(locale) ?? memoize(rules, locale, new Intl.PluralRules(locale));
}

export function formatterFor(locale: string): Intl.NumberFormat {
  return formatters.get(locale) ?? memoize(formatters, locale, new Intl.NumberFormat(locale));
}

function memoize<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value);
  return value;
}
