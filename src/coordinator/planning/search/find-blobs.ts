import { GitError, isDamage } from '../../../git/errors.js'
import { refusalOf } from '../../hosting/repositories/api-slot.js'
import { bytes, type Reading } from '../../hosting/repositories/browse/reading.js'
import { type FileQuery, matchesFile, pathspecOf } from './file-query.js'

/** Lines of a file that contain the text, with lines around them. */
export interface FoundLines {
  path: string
  /** Number of the first line. */
  startline: number
  lines: string[]
}

/** Limits on the work for one search. */
export const MAX_RESULTS = 1000
const MAX_PER_FILE = 100
const MAX_LINE_LENGTH = 2000
const MAX_MILLISECONDS = 20_000

/** Patterns in paths are allowed, unlike in other readers. */
const PATTERNS = { GIT_LITERAL_PATHSPECS: '0' }

/**
 * Searches the text files of a commit for a fixed text, case-insensitive. Returns the parts from `offset` on, at most
 * `limit`, in the order of paths. Throws 503 if it takes too long.
 */
export async function findBlobs(
  reading: Reading,
  sha: string,
  query: FileQuery,
  { offset, limit }: { offset: number; limit: number },
): Promise<FoundLines[]> {
  if (query.text.includes('\0') || offset >= MAX_RESULTS) return []
  const end = Math.min(offset + limit, MAX_RESULTS)
  const found: FoundLines[] = []
  for await (const part of partsIn(reading, sha, query)) {
    if (matchesFile(query, part.path)) found.push(part)
    if (found.length >= end) break
  }
  return found.slice(offset, end)
}

async function* partsIn(reading: Reading, sha: string, query: FileQuery): AsyncGenerator<FoundLines> {
  let part: FoundLines | undefined
  for await (const line of grep(reading, argumentsOf(sha, query))) {
    const [file = '', number, content] = line.split('\0', 3)
    if (content === undefined) {
      // A line of dashes between parts.
      if (part) yield part
      part = undefined
      continue
    }
    const path = file.slice(sha.length + 1)
    if (part && part.path !== path) {
      yield part
      part = undefined
    }
    part ??= { path, startline: Number(number), lines: [] }
    part.lines.push(content)
  }
  if (part) yield part
}

function argumentsOf(sha: string, query: FileQuery): string[] {
  const pathspec = pathspecOf(query)
  // Without a text, the start of each file is shown.
  const around =
    query.text === ''
      ? ['--max-count=1', '--after-context=2']
      : [`--max-count=${MAX_PER_FILE}`, '--context=2']
  return [
    ...['-c', 'grep.threads=1', 'grep', '--line-number', '--null', '-I', '--ignore-case', '--fixed-strings'],
    ...['--no-color', '--full-name', ...around, '-e', query.text, sha],
    ...(pathspec === undefined ? [] : ['--', pathspec]),
  ]
}

/** Lines that git prints, without their ends; the rest of long lines is left out. */
async function* grep(reading: Reading, args: string[]): AsyncGenerator<string> {
  const signal = AbortSignal.any([reading.signal, AbortSignal.timeout(MAX_MILLISECONDS)])
  const line = new LineStart(MAX_LINE_LENGTH + sizeOfPath)
  try {
    for await (const chunk of bytes({ ...reading, signal }, args, { environment: PATTERNS })) {
      yield* line.add(chunk)
    }
  } catch (error) {
    // Git exits with 1 if it finds nothing.
    if (!(error instanceof GitError && error.exitCode === 1) || isDamage(error)) throw refusalOf(error)
  }
}

/** Longest path that git accepts, with the number of a line. */
const sizeOfPath = 4096 + 64

/** Splits chunks into lines and keeps the first bytes of each. */
class LineStart {
  private kept: Buffer[] = []
  private size = 0

  constructor(private readonly longest: number) {}

  *add(chunk: Buffer): Generator<string> {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      this.keep(chunk.subarray(start, end))
      yield Buffer.concat(this.kept).toString('utf8')
      this.kept = []
      this.size = 0
      start = end + 1
    }
    this.keep(chunk.subarray(start))
  }

  private keep(bytes: Buffer): void {
    const part = bytes.subarray(0, Math.max(0, this.longest - this.size))
    if (part.length === 0) return
    this.kept.push(part)
    this.size += part.length
  }
}
