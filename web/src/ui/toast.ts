import { showFallbackToast } from './fallback-toast.ts';

/** What a toast says. A notice under the id of one that is shown takes its place: text, action and time. */
export type Notice = {
  kind: 'success' | 'error' | 'info';
  text: string;
  id?: string;
  action?: {
    text: string;
    run: () => void;
    /** An action that may become impossible while the toast is shown. Its button goes as soon as it does. */
    offer?: Offer;
  };
};

export type Offer = { watch: (watcher: () => void) => () => void; isOpen: () => boolean };

const fetchHost = () => import('./toast-host.tsx');
let host: ReturnType<typeof fetchHost> | null = null;

/** Top right, for 5,000 ms. The toast library is fetched with the first notice; all wait for the same, in their order. */
export function notify(notice: Notice): void {
  prepareToasts().then(
    ({ showToast }) => showToast(notice),
    (problem) => {
      console.error(notice.text, problem);
      showFallbackToast(notice.text);
    },
  );
}

/** Fetches the library ahead, for a page that may have to say that the connection is gone. */
export function prepareToasts(): ReturnType<typeof fetchHost> {
  host ??= fetchHost().catch((problem) => {
    host = null;
    throw problem;
  });
  return host;
}
