import { createHash } from 'node:crypto'

/** Base64 with padding. */
export function sha256Base64(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64')
}

/** The digest as a number, for bases other than 16. */
export function sha256Number(text: string): bigint {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
}
