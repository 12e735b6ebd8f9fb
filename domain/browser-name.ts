// The first match counts: user agents also name the browsers they imitate.
const browsers: [sign: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
];
const systems: [sign: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Longer than any real user agent. Only this much of a longer one is read. */
const LONGEST = 400;

/** 'Firefox · Windows': enough for people to recognise their own browser, too little to track them. */
export function browserName(userAgent: string): string | null {
  const beginning = userAgent.slice(0, LONGEST);
  const known = [browsers, systems].map((list) => list.find(([sign]) => sign.test(beginning))?.[1]);
  return known.filter((name) => name !== undefined).join(' · ') || null;
}
