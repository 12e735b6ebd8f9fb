declare module 'virtual:outlines' {
  const url: string;
  export default url;
}

declare module 'virtual:built-files' {
  /** The files a page's source module needs beside the entry's own. */
  export const builtFiles: Record<string, { scripts: string[]; sheets: string[] }>;
}
