declare module 'saxen' {
  export type AttributesGetter = () => Record<string, unknown>;
  export type EntityDecoder = (text: string) => string;
  export class Parser {
    // biome-ignore lint/suspicious/noExplicitAny: each event has other arguments.
    on(event: 'openTag' | 'text' | 'cdata' | 'closeTag' | 'error', handler: (...given: any[]) => void): Parser;
    parse(xml: string): Parser;
  }
}
