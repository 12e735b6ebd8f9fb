// The order matters: user agents also name the browsers they imitate, and the first match wins.
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
];
const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Only this many characters are read. Real user agents are shorter. */
const MAX_LENGTH = 400;

/**
 * A short name such as 'Firefox · Windows': enough for people to recognise their own browser, too little to track them.
 * Null if nothing is recognised.
 */
export function browserName(userAgent: string): string | null {
  const beginning = userAgent.slice(0, MAX_LENGTH);
  const known = [browsers, systems].map((list) => list.find(([pattern]) => pattern.test(beginning))?.[1]);
  return known.filter((name) => name !== undefined).join(' · ') || null;
}
