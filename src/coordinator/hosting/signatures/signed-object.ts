/** A signed commit or tag. */
export interface SignedObject {
  /** What was signed. */
  payload: Buffer
  /** Signature with its armor. */
  signature: string
}

/** Maximum size of a commit or tag whose signature is read, in bytes. */
export const MAX_SIGNED_BYTES = 16 * 1024 * 1024

/** First lines of the signatures that git makes. */
const ARMOR = /^-----BEGIN (?:PGP|SSH) (?:SIGNATURE|MESSAGE)-----$|^-----BEGIN SIGNED MESSAGE-----$/m

/**
 * Takes the signature out of a commit object, in the format of `git cat-file commit`. Undefined for one without a
 * signature. The payload has none of the headers `gpgsig` and `gpgsig-sha256`, as git signs it.
 */
export function signedCommit(content: Buffer): SignedObject | undefined {
  // Every byte is one character, so that the payload stays as it is.
  const text = content.toString('latin1')
  const end = text.indexOf('\n\n')
  const lines = (end < 0 ? text : text.slice(0, end)).split('\n')
  const signature: string[] = []
  const kept: string[] = []
  let header = ''
  for (const line of lines) {
    if (!line.startsWith(' ')) header = line.split(' ', 1)[0] ?? ''
    if (header === 'gpgsig') signature.push(line.replace(/^(?:gpgsig)? /, ''))
    else if (header !== 'gpgsig-sha256') kept.push(line)
  }
  if (signature.length === 0) return undefined
  const payload = Buffer.from(`${kept.join('\n')}${end < 0 ? '' : text.slice(end)}`, 'latin1')
  return { payload, signature: signature.join('\n') }
}

/** As `signedCommit`, for a tag object, whose signature follows its message. */
export function signedTag(content: Buffer): SignedObject | undefined {
  const text = content.toString('latin1')
  const body = text.indexOf('\n\n')
  const at = body < 0 ? -1 : text.slice(body).search(ARMOR)
  if (at < 0) return undefined
  return { payload: content.subarray(0, body + at), signature: text.slice(body + at) }
}
