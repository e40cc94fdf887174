import { hash } from 'node:crypto'

/** Names a text by its content; weak, for bytes on the wire may be packed in different ways (API, A9). */
export function entityTag(text: string): string {
  return `W/"${hash('md5', text)}"`
}

/** Whether `If-None-Match` contains the tag; weak and strong tags compare as equal (RFC 9110, 13.1.2). */
export function isNamedBy(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  const bare = (text: string): string => text.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((each) => bare(each) === bare(tag))
}
