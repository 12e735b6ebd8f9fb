import { createHmac } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Config } from '../config.ts';

const ISSUER = 'perfume-warehouse';
const AUDIENCE = 'my-items';
const LIFETIME_MS = 60 * 60 * 1_000;
const ALGORITHM = 'HS256';

export type AccessClaims = { userId: string; email: string; signIn: string };

/**
 * Issues and reads access tokens, which allow reading a person's own items for one hour. Each token is bound to a
 * session and ends with it.
 */
export function accessTokens(config: Pick<Config, 'secret' | 'previousSecret'>, clock: () => number) {
  // This key is derived from the secret only for access tokens and signs nothing else.
  const keyFrom = (secret: string) => createHmac('sha256', secret).update('access-token').digest();
  const key = keyFrom(config.secret);
  const previousKey = config.previousSecret && keyFrom(config.previousSecret);

  async function issue(claims: AccessClaims): Promise<{ accessToken: string; expiresAt: string }> {
    const now = clock();
    const expiresAt = now + LIFETIME_MS;
    const accessToken = await new SignJWT({ email: claims.email, sid: claims.signIn })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(claims.userId)
      .setIssuedAt(Math.floor(now / 1_000))
      .setExpirationTime(Math.floor(expiresAt / 1_000))
      .sign(key);
    return { accessToken, expiresAt: new Date(expiresAt).toISOString() };
  }

  async function read(token: string): Promise<AccessClaims | null> {
    const payload = (await verify(token, key)) ?? (previousKey && (await verify(token, previousKey)));
    if (!payload) return null;
    const { sub, email, sid } = payload;
    return typeof sub === 'string' && typeof email === 'string' && typeof sid === 'string'
      ? { userId: sub, email, signIn: sid }
      : null;
  }

  async function verify(token: string, key: Buffer): Promise<JWTPayload | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'sub', 'email', 'sid'],
        currentDate: new Date(clock()),
      });
      return payload;
    } catch {
      // The caller is not told whether the token was forged, expired or malformed.
      return null;
    }
  }

  return { issue, read };
}
