/** Text that is HTML already. Everything else put into `html` is escaped. */
export type Html = { readonly html: string };
type Piece = Html | string | number | null | readonly Piece[];

export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { html: strings.map((text, index) => text + toText(pieces[index] ?? null)).join('') };
}

/** A sentence in which `this` is code. */
export function prose(text: string): Html {
  return { html: escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>') };
}

/** A path or a code that may break after a slash or an underscore, so that it fits a phone. */
export function breakable(text: string): Html {
  return { html: escapeHtml(text).replace(/[/_](?=\w)/g, '$&<wbr>') };
}

function toText(piece: Piece): string {
  if (piece === null) return '';
  if (typeof piece === 'string' || typeof piece === 'number') return escapeHtml(String(piece));
  if ('html' in piece) return piece.html;
  return piece.map(toText).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
