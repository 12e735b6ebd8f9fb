import type { ChangeEvent, CountEvent } from '@perfume/contract/feed';

/** `live`: every change arrives. `lost`: none does, and the connection is being retried. */
export type Connection = 'connecting' | 'live' | 'lost';

type Listener = {
  /** Called with each change, in the order in which they happened. */
  onChange: (event: ChangeEvent) => void;
  /** Called when somebody counted in a count session. */
  onCount: (event: CountEvent) => void;
  /** Called when somebody saved, changed or deleted a view. */
  onViews: () => void;
  /** Called when the people, roles or settings of the house changed, and after the feed was interrupted. */
  onHouse: () => void;
  /** Called when changes may have been missed: everything on screen must be refetched. */
  onGap: () => void;
  onConnection: (connection: Connection) => void;
  /** Called when the server answered, but not with a feed: perhaps the user is signed out. */
  onRefused: () => void;
};

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/**
 * A page disconnects after being hidden this long: browsers allow six connections to a server, and a seventh tab would
 * hang.
 */
const HIDDEN_MS = 20_000;
/**
 * Dead connections are detected here, because the browser may not notice them. The server sends a heartbeat every 15 s,
 * so a connection that is silent for SILENT_MS is dead. If two checks are more than SLEPT_MS apart, the computer slept,
 * and its connection is dead too.
 */
const CHECK_EVERY_MS = 5_000;
const SLEPT_MS = 20_000;
const SILENT_MS = 40_000;

/**
 * Subscribes to the change feed until the returned function is called. The server refuses it if the user works in another
 * house by then. `after` is the position of the feed when the page was made: everything on the page was read later, so a feed
 * that starts there misses nothing.
 */
export function subscribeToChanges(
  { onChange, onCount, onViews, onHouse, onGap, onConnection, onRefused }: Listener,
  { house, after }: { house?: string | undefined; after?: string | null } = {},
): () => void {
  let source: EventSource | null = null;
  let retryDelay = FIRST_RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  let checkedAt = Date.now();
  let heardAt = Date.now();

  function connect(): void {
    disconnect();
    checkedAt = Date.now();
    heardAt = checkedAt;
    const query = new URLSearchParams({ ...(house !== undefined && { house }), ...(after && { after }) });
    const current = new EventSource(`/events?${query}`.replace(/\?$/, ''));
    source = current;
    // A new EventSource starts with the changes from now on, so anything fetched before may be out of date.
    let onHello = after ? () => {} : onGap;
    after = null;
    for (const type of ['hello', 'change', 'count', 'view', 'house', 'reset', 'beat'])
      current.addEventListener(type, () => {
        heardAt = Date.now();
      });
    current.addEventListener('hello', () => {
      retryDelay = FIRST_RETRY_MS;
      onConnection('live');
      onHello();
      // When the browser reconnects by itself, the server resumes where the stream broke. It had ended that of a person
      // who was removed from the house.
      onHello = onHouse;
    });
    current.addEventListener('change', (event) => onChange(JSON.parse((event as MessageEvent<string>).data)));
    current.addEventListener('count', (event) => onCount(JSON.parse((event as MessageEvent<string>).data)));
    current.addEventListener('view', onViews);
    current.addEventListener('house', onHouse);
    current.addEventListener('reset', onGap);
    current.addEventListener('error', () => {
      onConnection('lost');
      // Before the first connection, what is shown may be an old copy from this device.
      if (onHello !== onHouse) onHello = onGap;
      // Browsers do not retry after a refusal, so this code does.
      if (current.readyState === EventSource.CLOSED) {
        onRefused();
        retryTimer = setTimeout(connect, retryDelay);
        retryDelay = Math.min(retryDelay * 2, MAX_RETRY_MS);
      }
    });
  }

  function disconnect(): void {
    clearTimeout(retryTimer);
    source?.close();
    source = null;
  }

  function onVisibilityChange(): void {
    clearTimeout(hiddenTimer);
    if (document.visibilityState === 'hidden') hiddenTimer = setTimeout(disconnect, HIDDEN_MS);
    else if (source === null) connect();
  }

  function onOnline(): void {
    if (source !== null) connect();
  }

  function onOffline(): void {
    onConnection('lost');
  }

  const checkTimer = setInterval(() => {
    const hasSlept = Date.now() - checkedAt > SLEPT_MS;
    checkedAt = Date.now();
    const isSilent = source !== null && source.readyState !== EventSource.CLOSED && checkedAt - heardAt > SILENT_MS;
    if (isSilent) onConnection('lost');
    if ((hasSlept || isSilent) && source !== null) connect();
  }, CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', onVisibilityChange);
  addEventListener('online', onOnline);
  addEventListener('offline', onOffline);
  // A tab opened in the background connects when it is first shown. Data that the feed does not cover may be old by then.
  if (document.visibilityState !== 'hidden') connect();
  else after = null;

  return () => {
    disconnect();
    clearTimeout(hiddenTimer);
    clearInterval(checkTimer);
    document.removeEventListener('visibilitychange', onVisibilityChange);
    removeEventListener('online', onOnline);
    removeEventListener('offline', onOffline);
  };
}
