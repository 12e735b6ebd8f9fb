/**
 * Calls `work` every so often while somebody sees the page, and when they come back to it. A hidden page does nothing.
 * Ends with the returned function.
 */
export function pollWhileVisible(work: () => void, everyMs: number): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;

  function start(): void {
    clearInterval(timer);
    if (document.visibilityState !== 'hidden') timer = setInterval(work, everyMs);
  }

  function turned(): void {
    start();
    if (document.visibilityState !== 'hidden') work();
  }

  document.addEventListener('visibilitychange', turned);
  start();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', turned);
  };
}
