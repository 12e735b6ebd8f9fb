/** Returns the name of a CSV file, such as inventory-2026-03-01.csv. */
export function fileName(day: Date, subject = 'inventory'): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${subject}-${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}.csv`;
}

/** Saves a file through the browser's own download. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // After ten seconds the download has started. Without this, the file stays in memory until the page is closed.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Lets the browser download a file from the server, which may be large. */
export function downloadFrom(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
