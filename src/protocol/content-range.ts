/**
 * Offsets of a trace patch. The request has `Content-Range: <first>-<last>`, with plain numbers and an inclusive
 * last byte. The response has `Range: 0-<size>`, where the second number is the next offset (runner protocol, 4.1
 * and 4.2).
 */
export function formatContentRange(first: number, length: number): string {
  return `${first}-${first + length - 1}`
}

/** First byte of a `Content-Range`. The second number is ignored, because old runners send it off by one. */
export function parseContentRangeStart(header: string | undefined): number | undefined {
  const match = /^(\d+)-(\d+)/.exec(header ?? '')
  return match ? Number(match[1]) : undefined
}

export function formatRange(size: number): string {
  return `0-${size}`
}

/** Next offset in the `Range` header of a response. A missing or malformed header means 0. */
export function parseRangeEnd(header: string | undefined): number {
  const match = /^\d+-(\d+)$/.exec(header ?? '')
  return match ? Number(match[1]) : 0
}
