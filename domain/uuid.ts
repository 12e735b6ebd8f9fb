const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a UUID in lower case, as ids are stored. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The UUID in lower case, as it is stored, whatever its case was; null for any other text. */
export function parseUuid(text: string): string | null {
  const id = text.toLowerCase();
  return isUuid(id) ? id : null;
}

/**
 * Whether the server derived this UUID from other ids. Clients may not choose such a UUID, because an undo may need it
 * later.
 */
export function isDerivedUuid(id: string): boolean {
  return id[14] === '8';
}
