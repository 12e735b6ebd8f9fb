/** The time from a change to the refetch. */
const DELAY_MS = 400;

/**
 * Calls `run` soon after the first request, then at most once every `every` milliseconds. No request is lost: those in
 * between share the next call.
 */
export function throttle(every: number, run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return {
    request(): void {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          last = performance.now();
          run();
        },
        Math.max(DELAY_MS, last + every - performance.now()),
      );
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}
