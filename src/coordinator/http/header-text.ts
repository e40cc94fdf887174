/** `text` as a header can carry it: whatever is no printable ASCII is percent-encoded UTF-8. */
export function headerText(text: string): string {
  // Encodes through bytes, because a lone surrogate from JSON has no UTF-8 encoding.
  return Buffer.from(text)
    .toString('utf8')
    .replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character))
}

/**
 * The value of `Content-Disposition`, with a fallback for clients that do not support UTF-8 names (RFC 6266).
 */
export function disposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/gu, '_')
  const encoded = encodeURIComponent(Buffer.from(fileName).toString('utf8')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
