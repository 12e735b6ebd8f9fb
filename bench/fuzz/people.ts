/** Somebody with an account: the credentials of their requests. */
export type Person = { email: string; password: string; cookie: string; token: string; verified: boolean };

let made = 0;

type ReadLink = (email: string) => Promise<string | undefined>;

/** Signs up and opens the link in the email, which is in the demo's outbox unless `readLink` finds it elsewhere. */
export async function signUp(
  url: string,
  verified: boolean,
  readLink: ReadLink = (email) => linkInOutbox(url, email),
): Promise<Person> {
  const number = ++made;
  const email = `fuzz-${process.pid}-${number}@house.example`;
  const password = `quiet-iris-${number}-cellar`;
  // Each person has a client address of their own, because limits are per address.
  const from = { 'x-forwarded-for': `10.200.${(number >> 8) & 255}.${number & 255}` };
  const json = { 'content-type': 'application/json', ...from };
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: `Person ${number}`, email, password }),
  });
  if (!answer.ok) throw new Error(`nobody could sign up: ${answer.status} ${await answer.text()}`);
  const cookie = cookiesOf(answer);
  if (!verified) return { email, password, cookie, token: 'none', verified };
  const link = await readLink(email);
  if (!link) throw new Error('the verification mail did not come');
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
  await fetch(`${url}/api/auth/verify-email`, {
    method: 'POST',
    headers: { ...json, cookie },
    body: JSON.stringify({ token }),
  });
  const login = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { ...json, cookie },
    body: JSON.stringify({ email }),
  });
  if (!login.ok) throw new Error(`no access token: ${login.status} ${await login.text()}`);
  return { email, password, cookie, token: ((await login.json()) as { accessToken: string }).accessToken, verified };
}

async function linkInOutbox(url: string, email: string): Promise<string | undefined> {
  const letters = (await (await fetch(`${url}/demo/outbox`)).json()) as { to: string; links: string[] }[];
  return letters.find(({ to }) => to === email)?.links[0];
}

/**
 * Whether a person still has a session. Some requests log out or change the password; people without a session are
 * replaced.
 */
export async function isLoggedIn(url: string, person: Person): Promise<boolean> {
  const answer = await fetch(`${url}/api/auth/get-session`, { headers: { cookie: person.cookie } });
  const session = (await answer.json()) as { user: { emailVerified: boolean } } | null;
  return session?.user.emailVerified === person.verified;
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}
