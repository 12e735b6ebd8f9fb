// The first that fits counts: browsers also name those they want to be taken for.
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

/** Longer than any browser's; what somebody else sends is not worth looking through. */
const LONGEST = 400;

/** 'Firefox · Windows': enough to know one's own browser by, and nothing that would tell two of them apart. */
export function browserName(userAgent: string): string | null {
  const beginning = userAgent.slice(0, LONGEST);
  const known = [browsers, systems].map((list) => list.find(([sign]) => sign.test(beginning))?.[1]);
  return known.filter((name) => name !== undefined).join(' · ') || null;
}
