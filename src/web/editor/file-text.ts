/** A text with the ends of lines that another one has: those of Windows, if its first line ends with one. */
export function withLineEndsOf(original: string, text: string): string {
  return /^[^\n]*\r\n/.test(original) ? text.replaceAll(/\r?\n/g, '\r\n') : text
}

/** Whether a text is exactly what a file has: bytes that are no UTF-8, and a byte order mark, are lost in texts. */
export function isWholeText(text: string, bytes: number): boolean {
  return new TextEncoder().encode(text).length === bytes
}
