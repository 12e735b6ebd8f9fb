/** Formats a change of quantity with its sign: "+12", or "−1" with a real minus sign instead of a hyphen. */
export function signed(delta: number, locale: string): string {
  return new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }).format(delta).replace('-', '\u2212');
}
