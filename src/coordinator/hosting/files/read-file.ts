import { Readable } from 'node:stream'

import { GitError } from '../../../git/errors.js'
import { invalidParameters } from '../../http/errors.js'
import { disposition } from '../../http/header-text.js'
import { type Answer, answer, stream, type StreamAnswer } from '../../http/operation.js'
import { blame } from '../repositories/browse/blame.js'
import { asBase64, blobBytes, SMALL_BLOB_BYTES } from '../repositories/browse/blobs.js'
import { rawType } from '../repositories/browse/raw-type.js'
import type { Reading } from '../repositories/browse/reading.js'
import { type FileFacts, fileHeaders } from './find-file.js'
import type { BlameRange, GetBlame } from './schema.js'

/** The record of a file with its content; a large one is written while it is read. */
export async function fileAnswer(reading: Reading, facts: FileFacts): Promise<Answer | StreamAnswer> {
  const blob = { id: facts.blob_id, size: facts.size }
  const headers = fileHeaders(facts)
  if (facts.size > SMALL_BLOB_BYTES) {
    return stream(Readable.from(recordInPieces(reading, facts)), 'application/json', headers)
  }
  let content = ''
  for await (const piece of asBase64(blobBytes(reading, blob))) content += piece
  return answer(200, { ...facts, content }, headers)
}

async function* recordInPieces(reading: Reading, facts: FileFacts): AsyncGenerator<string> {
  yield `${JSON.stringify(facts).slice(0, -1)},"content":"`
  yield* asBase64(blobBytes(reading, { id: facts.blob_id, size: facts.size }))
  yield '"}'
}

/** The file itself; HEAD gets the headers of it (API, A9). */
export async function rawAnswer(reading: Reading, facts: FileFacts, isHead: boolean): Promise<StreamAnswer> {
  const blob = { id: facts.blob_id, size: facts.size }
  return stream(
    Readable.from(isHead ? [] : blobBytes(reading, blob), { objectMode: false }),
    await rawType(reading, blob, facts.file_name),
    {
      ...fileHeaders(facts),
      'content-length': String(facts.size),
      'content-disposition': disposition('inline', facts.file_name),
      'cache-control': 'no-store',
    },
  )
}

/** What HEAD tells of a file. */
export function headAnswer(facts: FileFacts): StreamAnswer {
  return stream(Readable.from([]), 'application/json', fileHeaders(facts))
}

/** Who wrote which lines. Throws 400 for a range that is none. */
export async function blameRanges(
  reading: Reading,
  { commit_id: sha, file_path: path, size }: FileFacts,
  lines: GetBlame['range'],
): Promise<BlameRange[]> {
  if (lines && lines.start > lines.end) {
    throw invalidParameters('range[start] must be less than or equal to range[end]')
  }
  if (size === 0) return []
  const ranges = await blame(reading, { sha, path, lines }).catch(noneBehindTheEnd)
  return ranges.map(({ commit, lines }) => ({
    commit: {
      id: commit.id,
      message: commit.message,
      parent_ids: commit.parentIds,
      authored_date: commit.authoredDate,
      author_name: commit.authorName,
      author_email: commit.authorEmail,
      committed_date: commit.committedDate,
      committer_name: commit.committerName,
      committer_email: commit.committerEmail,
    },
    lines,
  }))
}

/** A range that begins behind the last line has no lines; git calls that an error. */
function noneBehindTheEnd(error: unknown): never[] {
  if (error instanceof GitError && /has only \d+ lines?/.test(error.stderr)) return []
  throw error
}
