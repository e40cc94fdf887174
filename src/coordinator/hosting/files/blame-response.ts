import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { LRUCache } from 'lru-cache'

import { GitError } from '../../../git/errors.js'
import type { Commit } from '../../../git/parse-commit.js'
import { invalidParameters } from '../../http/errors.js'
import { type ApiResponse, respond, stream, type StreamResponse } from '../../http/operation.js'
import { blame, type BlamedLines } from '../repositories/browse/blame.js'
import { commitById } from '../repositories/browse/commit-log.js'
import type { Reading } from '../repositories/browse/reading.js'
import { type FileFacts, fileHeaders } from './find-file.js'
import type { BlameRange, GetBlame } from './schema.js'

/** Length of a response that is sent as a whole, and of the pieces of a longer one, in characters. */
const PIECE_LENGTH = 64 * 1024
/** Length of a range without its lines and the message of its commit, in characters. */
const RANGE_LENGTH = 500
/** Total length of the commit messages that are kept in memory for one response, in characters. */
const MAX_KEPT_LENGTH = 32 * 1024 * 1024

/**
 * Author commit of each line range. Each range contains its commit, so that the response may be many times as long as the
 * file: a long one is sent in pieces, and others are served in between. Throws 400 for an invalid range.
 */
export async function blameResponse(
  reading: Reading,
  facts: FileFacts,
  lines: GetBlame['range'],
): Promise<ApiResponse | StreamResponse> {
  if (lines && lines.start > lines.end) {
    throw invalidParameters('range[start] must be less than or equal to range[end]')
  }
  const { commit_id: sha, file_path: path, size } = facts
  const blamed = size === 0 ? [] : await blame(reading, { sha, path, lines }).catch(noneBehindTheEnd)
  const ranges = presented(reading, blamed)
  const first: BlameRange[] = []
  for (let length = 0; length < PIECE_LENGTH;) {
    const next = await ranges.next()
    if (next.done) return respond(200, first, fileHeaders(facts))
    first.push(next.value)
    length += lengthOf(next.value)
  }
  return stream(Readable.from(asJson(first, ranges)), 'application/json', fileHeaders(facts))
}

/** A range that begins after the last line has no lines; git reports an error for it. */
function noneBehindTheEnd(error: unknown): never[] {
  if (error instanceof GitError && /has only \d+ lines?/.test(error.stderr)) return []
  throw error
}

async function* presented(
  reading: Reading,
  blamed: readonly BlamedLines[],
): AsyncGenerator<BlameRange, void> {
  const commits = new LRUCache<string, Commit>({
    maxSize: MAX_KEPT_LENGTH,
    sizeCalculation: ({ message }) => RANGE_LENGTH + message.length,
  })
  for (const { id, lines } of blamed) {
    const commit = commits.get(id) ?? (await commitById(reading, id))
    commits.set(id, commit)
    yield { commit: presentCommit(commit), lines }
  }
}

function presentCommit(commit: Commit): BlameRange['commit'] {
  return {
    id: commit.id,
    message: commit.message,
    parent_ids: commit.parentIds,
    authored_date: commit.authoredDate,
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    committed_date: commit.committedDate,
    committer_name: commit.committerName,
    committer_email: commit.committerEmail,
  }
}

function lengthOf({ commit, lines }: BlameRange): number {
  return lines.reduce((sum, { length }) => sum + length, RANGE_LENGTH + commit.message.length)
}

/** The list of all ranges, in pieces. */
async function* asJson(
  first: readonly BlameRange[],
  others: AsyncIterable<BlameRange>,
): AsyncGenerator<string> {
  let piece = `[${first.map((range) => JSON.stringify(range)).join(',')}`
  for await (const range of others) {
    piece += `,${JSON.stringify(range)}`
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  yield `${piece}]`
}
