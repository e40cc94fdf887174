/**
 * Offsets of a trace patch. The request says `Content-Range: <first>-<last>`, plain numbers, last byte inclusive;
 * the answer says `Range: 0-<size>`, where the second number is the next offset (runner protocol, 4.1 and 4.2).
 */
export function formatContentRange(first: number, length: number): string {
  return `${first}-${first + length - 1}`
}

/** First byte of a `Content-Range`; the second number is ignored because old runners send it off by one. */
export function parseContentRangeStart(header: string | undefined): number | undefined {
  const match = /^(\d+)-(\d+)/.exec(header ?? '')
  return match ? Number(match[1]) : undefined
}

export function formatRange(size: number): string {
  return `0-${size}`
}

/** Next offset out of a `Range` answer; a missing or odd header means 0. */
export function parseRangeEnd(header: string | undefined): number {
  const match = /^\d+-(\d+)$/.exec(header ?? '')
  return match ? Number(match[1]) : 0
}
