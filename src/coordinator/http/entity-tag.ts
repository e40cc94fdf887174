import { hash } from 'node:crypto'

export const TAG_ALGORITHM = 'md5'

/** Names a text by its content; weak, for bytes on the wire may be packed in different ways (API, A9). */
export function entityTag(text: string): string {
  return tagOf(hash(TAG_ALGORITHM, text))
}

/** The tag of a text with this digest by `TAG_ALGORITHM`, in hexadecimal digits. */
export function tagOf(digest: string): string {
  return `W/"${digest}"`
}

/** Whether `If-None-Match` contains the tag; weak and strong tags compare as equal (RFC 9110, 13.1.2). */
export function isNamedBy(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  const bare = (text: string): string => text.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((each) => bare(each) === bare(tag))
}
