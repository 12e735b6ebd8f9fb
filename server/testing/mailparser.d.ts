declare module 'mailparser' {
  export function simpleParser(source: NodeJS.ReadableStream): Promise<{
    subject?: string;
    text?: string;
    html?: string | false;
    to?: { text: string };
    from?: { text: string };
    headers: Map<string, { unsubscribe?: { url?: string } }>;
  }>;
}
