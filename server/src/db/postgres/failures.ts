export function isReadOnly(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '25006';
}

/** Whether the connection failed or an administrator shut the database server down. */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code && /^(08|57P0)|^E[A-Z]+$/.test(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Client has encountered/.test(
    message ?? '',
  );
}

export const QUERY_CANCELED = '57014';

/**
 * Whether the statement was rolled back because of a timeout, an I/O error, or because disk, memory or connections ran
 * out (class 53).
 */
export function isOutOfResources(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  return code !== undefined && (code.startsWith('53') || code === '58030' || code === QUERY_CANCELED);
}
