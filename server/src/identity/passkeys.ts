import type { PasskeyResponse, User } from '@perfume/contract/identity';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/core/database.ts';
import { Problem } from '../http/problem.ts';
import { findUserById } from './identity.store.ts';
import type { Identity } from './identity.ts';
import { oneTimeCookie } from './one-time-cookie.ts';
import { addPasskey, findPasskey, passkeysOf, usePasskey } from './passkeys.store.ts';

const CHALLENGE_LIFETIME_MS = 5 * 60 * 1_000;
/** EdDSA, ES256 and RS256: what passkeys use. The library's default asks Node for an experimental algorithm. */
const ALGORITHMS = [-8, -7, -257];
/** How a browser reaches a passkey, as WebAuthn names it. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
const webAuthn = () => import('@simplewebauthn/server');

/**
 * Registers passkeys and checks them. Each challenge works once, in the browser that asked for it. The passkey must
 * verify the person, by fingerprint, face or PIN, so it counts as two steps.
 */
export function passkeyChecker(identity: Identity, db: Db) {
  const challenges = oneTimeCookie<{ challenge: string; userId: string | null }>(
    identity,
    'passkey',
    CHALLENGE_LIFETIME_MS,
  );
  const siteOf = (request: FastifyRequest) => {
    const expectedOrigin = identity.originOf(request);
    return { expectedOrigin, expectedRPID: new URL(expectedOrigin).hostname };
  };

  /** Returns what the browser needs to make a passkey, and the cookie of the challenge. */
  async function optionsToAdd(request: FastifyRequest, user: User) {
    const options = await (await webAuthn()).generateRegistrationOptions({
      rpName: 'Perfume Warehouse',
      rpID: siteOf(request).expectedRPID,
      userName: user.email,
      userDisplayName: user.name,
      userID: new TextEncoder().encode(user.id),
      excludeCredentials: (await passkeysOf(db, user.id)).map(({ id }) => ({ id })),
      supportedAlgorithmIDs: ALGORITHMS,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { options, cookie: await challenges.create({ challenge: options.challenge, userId: user.id }) };
  }

  async function add(
    request: FastifyRequest,
    user: User,
    { response, name, now }: { response: PasskeyResponse; name: string; now: number },
  ): Promise<void> {
    const asked = await challenges.consume(request);
    if (asked?.userId !== user.id) throw new Problem('passkey_refused');
    const { verified, registrationInfo } = await orRefused(async () => {
      await refuseCertificates(response);
      return (await webAuthn()).verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: asked.challenge,
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: true,
        ...siteOf(request),
      });
    });
    if (!verified || !registrationInfo) throw new Problem('passkey_refused');
    const { id, publicKey, counter } = registrationInfo.credential;
    const { transports } = response.response;
    const passkey = {
      id,
      user_id: user.id,
      name,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: TRANSPORTS.filter((one) => Array.isArray(transports) && transports.includes(one)).join(','),
      created_at: now,
    };
    if (!(await addPasskey(db, passkey))) throw new Problem('too_many_passkeys');
  }

  /** Returns what the browser needs to use a passkey. It does not say whose: the browser offers those it has. */
  async function optionsToUse(request: FastifyRequest) {
    const options = await (await webAuthn()).generateAuthenticationOptions({
      rpID: siteOf(request).expectedRPID,
      userVerification: 'required',
    });
    return { options, cookie: await challenges.create({ challenge: options.challenge, userId: null }) };
  }

  /** Returns the owner of the passkey that answered the challenge of this browser. */
  async function ownerOf(request: FastifyRequest, response: PasskeyResponse, now: number): Promise<User> {
    const asked = await challenges.consume(request);
    const passkey = await findPasskey(db, response.id);
    const user = passkey && (await findUserById(db, passkey.user_id));
    if (!asked || !passkey || !user?.emailVerified) throw new Problem('passkey_refused');
    // Refuses a counter that went back, which means that the passkey was copied.
    const { verified, authenticationInfo } = await orRefused(async () =>
      (await webAuthn()).verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: asked.challenge,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
          counter: passkey.counter,
        },
        requireUserVerification: true,
        ...siteOf(request),
      }),
    );
    if (!verified || !(await usePasskey(db, passkey.id, authenticationInfo.newCounter, now)))
      throw new Problem('passkey_refused');
    return user;
  }

  return { optionsToAdd, add, optionsToUse, ownerOf, challengeGone: challenges.gone };
}

/**
 * Throws if the passkey comes with certificates about its maker. We ask for none, and the library would download the
 * revocation lists whose addresses the client wrote into them: from inside our network, without a limit.
 */
async function refuseCertificates({ response }: PasskeyResponse): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(String(response.attestationObject)));
  const format = attestation.get('fmt');
  const isSelfSigned = format === 'packed' && !attestation.get('attStmt').get('x5c');
  if (format !== 'none' && !isSelfSigned) throw new Problem('passkey_refused');
}

/** The library throws when a response is not valid. Its messages stay out of the log and the response. */
async function orRefused<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch {
    throw new Problem('passkey_refused');
  }
}
