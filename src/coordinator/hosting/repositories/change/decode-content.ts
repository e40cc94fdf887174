/** Decodes the `content` of a request; undefined for invalid Base64 (API, E4). */
export function decodeContent(content: string, encoding: 'text' | 'base64' | undefined): Buffer | undefined {
  if (encoding !== 'base64') return Buffer.from(content, 'utf8')
  const exact = decodeExact(content)
  if (exact) return exact
  const packed = content.replace(/\s+/g, '')
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 === 0
    ? Buffer.from(packed, 'base64')
    : undefined
}

/**
 * Decodes Base64 without white space; undefined for any other text. The decoder skips what is no Base64, so that the length
 * tells: a search in many megabytes takes five times as long. It also takes the alphabet of URLs.
 */
function decodeExact(content: string): Buffer | undefined {
  if (content.length % 4 !== 0 || content.includes('-') || content.includes('_')) return undefined
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  const decoded = Buffer.from(content, 'base64')
  return decoded.length === (content.length / 4) * 3 - padding ? decoded : undefined
}
