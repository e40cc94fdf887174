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

/** File record with its content; the content of a large file is streamed. */
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

/** Content of the file; HEAD gets its headers only (API, A9). */
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

/** Answer to a HEAD request for a file. */
export function headAnswer(facts: FileFacts): StreamAnswer {
  return stream(Readable.from([]), 'application/json', fileHeaders(facts))
}

/** Author commit of each line range. Throws 400 for an invalid range. */
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

/** A range that begins after the last line has no lines; git reports an error for it. */
function noneBehindTheEnd(error: unknown): never[] {
  if (error instanceof GitError && /has only \d+ lines?/.test(error.stderr)) return []
  throw error
}
