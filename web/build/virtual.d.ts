declare module 'virtual:outlines' {
  const url: string;
  export default url;
}

declare module 'virtual:built-files' {
  /** The files a page's module needs besides those of the entry. */
  export const builtFiles: Record<string, { scripts: string[]; sheets: string[] }>;
}
