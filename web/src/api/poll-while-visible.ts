/**
 * Calls `work` at an interval while the page is visible, and when it becomes visible. Returns a function that stops the
 * calls.
 */
export function pollWhileVisible(work: () => void, everyMs: number): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;

  function start(): void {
    clearInterval(timer);
    if (document.visibilityState !== 'hidden') timer = setInterval(work, everyMs);
  }

  function onVisibilityChange(): void {
    start();
    if (document.visibilityState !== 'hidden') work();
  }

  document.addEventListener('visibilitychange', onVisibilityChange);
  start();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisibilityChange);
  };
}
