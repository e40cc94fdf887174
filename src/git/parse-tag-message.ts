const SIGNATURE = /^-----BEGIN (?:PGP|SSH) (?:SIGNATURE|MESSAGE)-----$/m

/** The message of a tag object as `git cat-file tag` prints it, without its signature and the line end behind it. */
export function parseTagMessage(content: Buffer): string {
  const text = content.toString('utf8')
  const end = text.indexOf('\n\n')
  const message = end < 0 ? '' : text.slice(end + 2)
  const signature = message.search(SIGNATURE)
  return (signature < 0 ? message : message.slice(0, signature)).trimEnd()
}
