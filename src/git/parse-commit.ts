export interface Commit {
  id: string
  parentIds: string[]
  /** First line of the message. */
  title: string
  message: string
  authorName: string
  authorEmail: string
  /** ISO 8601 with milliseconds and the offset of the author: `2024-05-01T10:00:00.000+02:00`. */
  authoredDate: string
  committerName: string
  committerEmail: string
  committedDate: string
}

/** Parses a commit object in the format of `git cat-file commit`. */
export function parseCommit(id: string, content: Buffer): Commit {
  const end = content.indexOf('\n\n')
  const headers = content.toString('utf8', 0, end < 0 ? content.length : end).split('\n')
  const decode = decoder(header(headers, 'encoding'))
  const message = end < 0 ? '' : decode(content.subarray(end + 2))
  const author = parseSignature(header(headers, 'author'))
  const committer = parseSignature(header(headers, 'committer'))
  return {
    id,
    parentIds: headers.filter((line) => line.startsWith('parent ')).map((line) => line.slice(7)),
    title: message.split('\n', 1)[0] ?? '',
    message,
    authorName: author.name,
    authorEmail: author.email,
    authoredDate: author.date,
    committerName: committer.name,
    committerEmail: committer.email,
    committedDate: committer.date,
  }
}

function header(headers: string[], key: string): string {
  return headers.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? ''
}

function decoder(encoding: string): (bytes: Buffer) => string {
  try {
    const decoding = new TextDecoder(encoding || 'utf-8')
    return (bytes) => decoding.decode(bytes)
  } catch {
    return (bytes) => bytes.toString('utf8') // an unknown encoding: a partly readable text is better than none
  }
}

/** Parses `Name <email> 1714550400 +0200`, which follows `author`, `committer` and `tagger`. */
export function parseSignature(line: string): { name: string; email: string; date: string } {
  const fields = /^(.*?) ?<([^>]*)> ?(-?\d+)? ?([+-]\d{4})?/.exec(line)
  const [, name = '', email = '', seconds = '0', offset = '+0000'] = fields ?? []
  return { name, email, date: isoWithOffset(Number(seconds), offset) }
}

function isoWithOffset(seconds: number, offset: string): string {
  const sign = offset.startsWith('-') ? -1 : 1
  const minutes = sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3, 5)))
  const local = new Date((seconds + minutes * 60) * 1000)
  if (Number.isNaN(local.getTime())) return isoWithOffset(0, '+0000')
  return `${local.toISOString().slice(0, -1)}${offset.slice(0, 3)}:${offset.slice(3, 5)}`
}
