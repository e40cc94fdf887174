import { hash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** A list of passwords that nobody may choose. */
export interface PasswordList {
  has: (password: string) => Promise<boolean>
}

/** Longest list of plain passwords, in bytes: it is kept in memory. */
const MAX_PLAIN_BYTES = 16 * 1024 * 1024
/** Bytes that have the rest of a line of digests, and the next line. */
const WINDOW = 256
/** SHA-1 in hexadecimal, and how often the password was seen. */
const DIGEST_LINE = /^([0-9a-f]{40})(:\d+)?\r?$/i

/**
 * Opens a list: SHA-1 digests in ascending order, one in a line, as Have I Been Pwned offers them (of any size), or one
 * password in a line (at most 16 MiB). Throws if the file cannot be read, or is neither.
 */
export function openPasswordList(path: string): PasswordList {
  if (hasDigests(path)) return { has: (password) => hasDigestOf(path, password) }
  if (statSync(path).size > MAX_PLAIN_BYTES) {
    throw new Error(`${path} has more than 16 MiB; give a file of SHA-1 digests in ascending order instead`)
  }
  const passwords = new Set(readFileSync(path, 'utf8').split(/\r?\n/))
  return { has: (password) => Promise.resolve(password !== '' && passwords.has(password)) }
}

function hasDigests(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(WINDOW)
    const length = readSync(file, bytes, 0, WINDOW, 0)
    return DIGEST_LINE.test(bytes.toString('latin1', 0, length).split('\n', 1)[0] ?? '')
  } finally {
    closeSync(file)
  }
}

/** The file is opened each time, because it may be replaced. */
async function hasDigestOf(path: string, password: string): Promise<boolean> {
  const file = await open(path)
  try {
    return await search(file, (await file.stat()).size, hash('sha1', password).toUpperCase())
  } finally {
    await file.close()
  }
}

/** By halves: of the lines that begin from `low` to before `high`, one may be the wanted one. */
async function search(file: FileHandle, size: number, wanted: string): Promise<boolean> {
  let [low, high] = [0, size]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const line = await lineFrom(file, middle)
    if (!line || line.start >= high) high = middle
    else if (line.digest === wanted) return true
    else if (line.digest < wanted) low = line.start + 1
    else high = middle
  }
  return false
}

/** The first line that begins at `position` or after it; undefined after the last one. */
async function lineFrom(
  file: FileHandle,
  position: number,
): Promise<{ start: number; digest: string } | undefined> {
  const from = Math.max(0, position - 1)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(WINDOW), 0, WINDOW, from)
  const text = buffer.toString('latin1', 0, bytesRead)
  const begin = position === 0 ? 0 : text.indexOf('\n') + 1
  const [, digest] = DIGEST_LINE.exec(text.slice(begin).split('\n', 1)[0] ?? '') ?? []
  if (digest === undefined || (position > 0 && begin === 0)) return undefined
  return { start: from + begin, digest: digest.toUpperCase() }
}
