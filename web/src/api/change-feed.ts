import type { ChangeEvent } from '@perfume/contract/feed';

/** `live`: every change arrives. `lost`: none does, and somebody is trying to bring the connection back. */
export type Connection = 'connecting' | 'live' | 'lost';

type Listener = {
  /** One change, in the order they happened. */
  onChange: (event: ChangeEvent) => void;
  /** What happened before now is not known: everything on screen has to be read again. */
  onGap: () => void;
  onConnection: (connection: Connection) => void;
  /** The server answered, but not with a feed: perhaps nobody is logged in here any more. */
  onRefused: () => void;
};

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 15_000;
/** A page nobody looks at lets its line go: browsers have six to a server, and a seventh tab would hang. */
const UNSEEN = 20_000;
/**
 * The server beats every 15 s. A line that is silent for longer is dead, whatever the browser believes; so is one of a
 * machine that slept, which shows in its own clock.
 */
const LOOK_EVERY = 5_000;
const SLEPT = 20_000;
const SILENT = 40_000;

/** Listens to the change feed until the returned function is called. */
export function listen({ onChange, onGap, onConnection, onRefused }: Listener): () => void {
  let source: EventSource | null = null;
  let wait = FIRST_WAIT;
  let again: ReturnType<typeof setTimeout> | undefined;
  let unseen: ReturnType<typeof setTimeout> | undefined;
  let looked = Date.now();
  let heard = Date.now();

  function connect(): void {
    letGo();
    looked = Date.now();
    heard = looked;
    const mine = new EventSource('/events');
    source = mine;
    // A line the browser mended itself resumes where it broke. A new one starts at this moment, so whatever was read
    // before it, be it only an instant before, may be out of date.
    let resumes = false;
    for (const news of ['hello', 'change', 'reset', 'beat'])
      mine.addEventListener(news, () => {
        heard = Date.now();
      });
    mine.addEventListener('hello', () => {
      wait = FIRST_WAIT;
      onConnection('live');
      if (!resumes) onGap();
      resumes = true;
    });
    mine.addEventListener('change', (event) => onChange(JSON.parse((event as MessageEvent<string>).data)));
    mine.addEventListener('reset', onGap);
    mine.addEventListener('error', () => {
      onConnection('lost');
      // After a refusal the browser gives up; we do not.
      if (mine.readyState === EventSource.CLOSED) {
        onRefused();
        again = setTimeout(connect, wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
      }
    });
  }

  function letGo(): void {
    clearTimeout(again);
    source?.close();
    source = null;
  }

  function seen(): void {
    clearTimeout(unseen);
    if (document.visibilityState === 'hidden') unseen = setTimeout(letGo, UNSEEN);
    else if (source === null) connect();
  }

  function online(): void {
    if (source !== null) connect();
  }

  function offline(): void {
    onConnection('lost');
  }

  const looking = setInterval(() => {
    const slept = Date.now() - looked > SLEPT;
    looked = Date.now();
    const isSilent = source !== null && source.readyState !== EventSource.CLOSED && looked - heard > SILENT;
    if (isSilent) onConnection('lost');
    if ((slept || isSilent) && source !== null) connect();
  }, LOOK_EVERY);
  document.addEventListener('visibilitychange', seen);
  addEventListener('online', online);
  addEventListener('offline', offline);
  // A tab opened in the background connects when it is first looked at.
  if (document.visibilityState !== 'hidden') connect();

  return () => {
    letGo();
    clearTimeout(unseen);
    clearInterval(looking);
    document.removeEventListener('visibilitychange', seen);
    removeEventListener('online', online);
    removeEventListener('offline', offline);
  };
}
