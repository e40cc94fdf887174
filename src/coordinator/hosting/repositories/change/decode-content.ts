/** Decodes the `content` of a request; undefined for invalid Base64 (API, E4). */
export function decodeContent(content: string, encoding: 'text' | 'base64' | undefined): Buffer | undefined {
  if (encoding !== 'base64') return Buffer.from(content, 'utf8')
  const packed = content.replace(/\s+/g, '')
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 === 0
    ? Buffer.from(packed, 'base64')
    : undefined
}
