import { parseSignature } from './parse-commit.js'

const SIGNATURE = /^-----BEGIN (?:PGP|SSH) (?:SIGNATURE|MESSAGE)-----$/m

/**
 * The message of a tag object in the format of `git cat-file tag`, without its signature and the preceding line
 * end.
 */
export function parseTagMessage(content: Buffer): string {
  const text = content.toString('utf8')
  const end = text.indexOf('\n\n')
  const message = end < 0 ? '' : text.slice(end + 2)
  const signature = message.search(SIGNATURE)
  return (signature < 0 ? message : message.slice(0, signature)).trimEnd()
}

/** The time of an annotated tag, in the format of the dates in `Commit`. Undefined for a tag object without one. */
export function parseTagDate(content: Buffer): string | undefined {
  return parseTagger(content)?.date
}

/** The author and time of an annotated tag; undefined if the tag object names neither. */
export function parseTagger(content: Buffer): ReturnType<typeof parseSignature> | undefined {
  const tagger = /^tagger (.*)$/m.exec(content.toString('utf8').split('\n\n', 1)[0] ?? '')
  return tagger ? parseSignature(tagger[1] ?? '') : undefined
}
