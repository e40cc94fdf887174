import { createHash } from 'node:crypto'

/** Base64 with its padding. */
export function sha256Base64(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64')
}
