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

/** Longer than any real user agent; the rest is not read. */
const MAX_LENGTH = 400;

/** 'Firefox · Windows': enough for people to recognise their own browser, too little to track them. */
export function browserName(userAgent: string): string | null {
  const beginning = userAgent.slice(0, MAX_LENGTH);
  const known = [browsers, systems].map((list) => list.find(([pattern]) => pattern.test(beginning))?.[1]);
  return known.filter((name) => name !== undefined).join(' · ') || null;
}
