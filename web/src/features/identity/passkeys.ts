import type { PasskeyResponse } from '@perfume/contract/identity';
import { ApiProblem, call } from '../../api/client.ts';
import type { Words } from '../../words/words.tsx';
import { authErrorText } from './auth-error-text.ts';

/** Browsers have passkeys only over https or on localhost, and never for an IP address. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|^\[/.test(location.hostname);
}

const browserPart = () => import('@simplewebauthn/browser');
type CreationOptions = Parameters<Awaited<ReturnType<typeof browserPart>>['startRegistration']>[0]['optionsJSON'];
type RequestOptions = Parameters<Awaited<ReturnType<typeof browserPart>>['startAuthentication']>[0]['optionsJSON'];

/** Lets the user choose one of their passkeys. */
export async function choosePasskey(): Promise<PasskeyResponse> {
  const [{ startAuthentication }, { data }] = await Promise.all([
    browserPart(),
    call('POST /api/auth/passkey/generate-authenticate-options'),
  ]);
  const optionsJSON = data as unknown as RequestOptions;
  return (await startAuthentication({ optionsJSON })) as unknown as PasskeyResponse;
}

/** Makes a passkey on this device, or on a phone or security key. */
export async function makePasskey(): Promise<PasskeyResponse> {
  const [{ startRegistration }, { data }] = await Promise.all([
    browserPart(),
    call('POST /api/auth/passkey/generate-register-options'),
  ]);
  const optionsJSON = data as unknown as CreationOptions;
  return (await startRegistration({ optionsJSON })) as unknown as PasskeyResponse;
}

/** Returns why a passkey did not work. If the browser refused, the user usually closed its dialog. */
export function passkeyErrorText(problem: unknown, words: Pick<Words, 'say'>): string {
  return problem instanceof ApiProblem ? authErrorText(problem, words) : words.say('passkey.cancelled');
}
