import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'

import type { SecretBox } from './secret-box.js'

/** Longest token that is read by default, in characters. */
const MAX_TOKEN_LENGTH = 1000

/** A token for URLs and headers that only this instance can write and read. */
export function sealToken(secrets: SecretBox, content: object): string {
  return Buffer.from(secrets.encrypt(JSON.stringify(content))).toString('base64url')
}

/** The content of a token; undefined for one that this instance has not written with this schema. */
export function openToken<Schema extends TSchema>(
  secrets: SecretBox,
  schema: Schema,
  token: string,
  maxLength: number = MAX_TOKEN_LENGTH,
): Static<Schema> | undefined {
  if (token.length > maxLength) return undefined
  try {
    const content: unknown = JSON.parse(secrets.decrypt(Buffer.from(token, 'base64url').toString()))
    return Check(schema, content) ? content : undefined
  } catch {
    // Anybody can send a token: one that cannot be decrypted is a wrong one.
    return undefined
  }
}
