const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 256 * 1_024;

/** Makes a request to a provider. It follows no redirect, and the response is limited in size and time. */
export async function fetchFromProvider<T>(url: string, request: RequestInit = {}): Promise<T | null> {
  const answer = await fetch(url, {
    ...request,
    headers: { ...request.headers, accept: 'application/json', 'user-agent': 'perfume-warehouse' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  if (!answer.ok) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('The response of the provider is too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as T;
}
