declare module 'virtual:outlines' {
  const url: string;
  export default url;
}

declare module 'virtual:built-files' {
  /** By module of a page or catalogue: the files it needs in addition to those that every page loads. */
  export const builtFiles: Record<string, { scripts: string[]; sheets: string[] }>;
}
