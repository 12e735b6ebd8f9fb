type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
};

/** Allows a script of this site for a worker. Under our content security policy, a plain string is refused. */
export function trustedScript(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const path = new URL(url, location.origin).pathname;
  return trustedTypes?.createPolicy('own-scripts', { createScriptURL: () => path }).createScriptURL(path) ?? path;
}
