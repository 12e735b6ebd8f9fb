import { createRemoteJWKSet } from 'jose';
import * as z from 'zod/mini';
import type { OidcProvider } from '../config.ts';
import { fetchFromProvider } from './provider-fetch.ts';

const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  userinfo_endpoint: z.optional(z.string()),
  jwks_uri: z.string(),
  id_token_signing_alg_values_supported: z.optional(z.array(z.string())),
});
export type OidcMetadata = z.output<typeof metadataSchema>;

/**
 * Reads the metadata of the OpenID Connect provider, or returns null. It must name the configured issuer, or another
 * provider could pose as it, and its addresses must be as well encrypted as the issuer's.
 */
export async function fetchMetadata({ issuer }: OidcProvider): Promise<OidcMetadata | null> {
  const metadata = metadataSchema.safeParse(
    await fetchFromProvider(`${issuer}/.well-known/openid-configuration`).catch(() => null),
  ).data;
  // OIDC_ISSUER is kept without the slash that some issuers end with.
  if (!metadata || metadata.issuer.replace(/\/$/, '') !== issuer) return null;
  const { authorization_endpoint, token_endpoint, userinfo_endpoint = issuer, jwks_uri } = metadata;
  const { protocol } = new URL(issuer);
  const isAllowed = (url: string) => URL.canParse(url) && ['https:', protocol].includes(new URL(url).protocol);
  return [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri].every(isAllowed) ? metadata : null;
}

type Provider = {
  id: string;
  issuer?: string | undefined;
  idToken?: unknown;
  requiresIdTokenNonce?: boolean | undefined;
};

/**
 * Makes better-auth verify the ID tokens of the provider with the keys that it publishes, and bind them to the request
 * by a nonce. better-auth does this by itself only for metadata that it has read itself, following redirects.
 */
export function verifyIdTokens(providers: Provider[], { clientId }: OidcProvider, metadata: OidcMetadata): void {
  const provider = providers.find(({ id }) => id === 'oidc');
  if (!provider) throw new Error('The OpenID Connect provider is missing');
  provider.issuer = metadata.issuer;
  provider.idToken = {
    jwks: createRemoteJWKSet(new URL(metadata.jwks_uri)),
    issuer: metadata.issuer,
    audience: clientId,
    algorithms: metadata.id_token_signing_alg_values_supported,
  };
  provider.requiresIdTokenNonce = true;
}
