import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

const ISSUER = 'perfume-warehouse';
const AUDIENCE = 'my-items';
const LIFETIME_MS = 60 * 60 * 1_000;
const ALGORITHM = 'HS256';

export type AccessClaims = { userId: string; email: string; signIn: string };

/**
 * Issues and reads access tokens, which allow reading a person's own items for one hour. Each token is bound to a
 * session and ends with it.
 */
export function accessTokens(secret: string, clock: () => number) {
  // This key is derived from the secret only for access tokens and signs nothing else.
  const key = createHmac('sha256', secret).update('access-token').digest();

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
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'sub', 'email', 'sid'],
        currentDate: new Date(clock()),
      });
      const { sub, email, sid } = payload;
      return typeof sub === 'string' && typeof email === 'string' && typeof sid === 'string'
        ? { userId: sub, email, signIn: sid }
        : null;
    } catch {
      // The caller is not told whether the token was forged, expired or malformed.
      return null;
    }
  }

  return { issue, read };
}
