/** What a toast says. The same `id` while it is shown is not shown twice. */
export type Notice = {
  kind: 'success' | 'error' | 'info';
  text: string;
  id?: string;
  action?: { text: string; run: () => void };
};

/** Top right, for 5,000 ms. The toast library is fetched with the first notice. */
export function notify(notice: Notice): void {
  void import('./toast-host.tsx').then(({ showNotice }) => showNotice(notice));
}
