import type { Database } from '../../database/connect.js'
import type { NotePosition } from '../../database/tables/notes.js'
import { commitById } from '../../hosting/repositories/browse/commit-log.js'
import { diffOf, type FileDiff } from '../../hosting/repositories/browse/diffs.js'
import type { Reading } from '../../hosting/repositories/browse/reading.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { apiError } from '../../http/errors.js'
import { findVersionByHeads, type MergeRequestRow } from '../stores/merge-request-store.js'
import { type Hunk, hunksOf, lineAfter, lineBefore, numbersOf } from './diff-hunks.js'
import { lineCodeOf } from './line-code.js'
import { completeRange } from './line-range.js'
import type { GivenPosition } from './schema.js'

/** A place in a diff that exists. */
export interface CheckedPosition {
  position: NotePosition
  /** Null for a comment on a whole file. */
  line_code: string | null
}

/** Clients parse this text, in which the messages have the form of a Ruby hash (API, G2). */
function noSuchLine(): Error {
  return apiError('note_position_invalid')
}

/**
 * Checks that a version of the merge request has the line or the file. Throws 400 if it has not, and for a position
 * without a path or a line.
 */
export async function checkPosition(
  { database, repositories }: { database: Database; repositories: Pick<Repositories, 'readFile'> },
  reading: Reading,
  row: MergeRequestRow,
  given: GivenPosition,
): Promise<CheckedPosition> {
  const version = await findVersionByHeads(database, row.id, given)
  if (!version) throw noSuchLine()
  return checkPlace(repositories, reading, row.project_id, given)
}

/** As `checkPosition`, for the diff of a commit. Throws 400 also if the position is one of another commit. */
export async function checkCommitPosition(
  repositories: Pick<Repositories, 'readFile'>,
  reading: Reading,
  { projectId, sha }: { projectId: number; sha: string },
  given: GivenPosition,
): Promise<CheckedPosition> {
  const [parent = sha] = (await commitById(reading, sha)).parentIds
  if (given.head_sha !== sha || given.base_sha !== parent) throw noSuchLine()
  return checkPlace(repositories, reading, projectId, given)
}

async function checkPlace(
  repositories: Pick<Repositories, 'readFile'>,
  reading: Reading,
  projectId: number,
  given: GivenPosition,
): Promise<CheckedPosition> {
  const paths = [given.old_path, given.new_path].filter((path) => path !== undefined && path !== null)
  if (paths.length === 0 || !paths.every(isInTree)) throw noSuchLine()
  const file = await changedFile(reading, given, paths)
  if (!file) throw noSuchLine()
  const position: NotePosition = {
    base_sha: given.base_sha,
    start_sha: given.start_sha,
    head_sha: given.head_sha,
    position_type: given.position_type,
    old_path: file.oldPath,
    new_path: file.newPath,
    old_line: null,
    new_line: null,
  }
  if (given.position_type === 'image') {
    const { width = null, height = null, x = null, y = null } = given
    return { position: { ...position, width, height, x, y }, line_code: null }
  }
  if (given.position_type === 'file') return { position, line_code: null }
  const lines = await checkedLines(repositories, projectId, file, given)
  const of = { path: file.newPath, hunks: hunksOf(file.diff), last: lines.position }
  const line_range = given.line_range ? completeRange(given.line_range, of) : null
  if (line_range === undefined) throw noSuchLine()
  return { position: { ...position, ...lines.position, line_range }, line_code: lines.line_code }
}

/** Git fails for paths that lead out of the repository. */
function isInTree(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** The file in the diff between two commits, with hunks without context; undefined if it is not changed. */
async function changedFile(
  reading: Reading,
  { base_sha, head_sha }: Pick<NotePosition, 'base_sha' | 'head_sha'>,
  paths: string[],
): Promise<FileDiff | undefined> {
  const only = { paths, context: 0 }
  const { files } = await diffOf(reading, { from: base_sha, to: head_sha, ...only })
  if (files.length <= 1) return files[0]
  // Both paths were given, and git does not see a renamed file in them.
  return files.find(({ newPath }) => newPath === paths.at(-1))
}

async function checkedLines(
  repositories: Pick<Repositories, 'readFile'>,
  projectId: number,
  file: FileDiff,
  { old_line: oldLine = null, new_line: newLine = null, head_sha }: GivenPosition,
): Promise<{ position: Pick<NotePosition, 'old_line' | 'new_line'>; line_code: string }> {
  const hunks = hunksOf(file.diff)
  if (newLine !== null && (oldLine === null || oldLine === lineBefore(hunks, newLine))) {
    const isAdded = lineBefore(hunks, newLine) === undefined
    if (isAdded !== (oldLine === null)) throw noSuchLine()
    // Outside of the hunks, only the file knows whether there is such a line.
    if (!isAdded && newLine > (await lineCount(repositories, projectId, head_sha, file))) throw noSuchLine()
    return codeOf(file, hunks, { newLine }, { old_line: oldLine, new_line: newLine })
  }
  if (oldLine === null || newLine !== null || lineAfter(hunks, oldLine) !== undefined) throw noSuchLine()
  return codeOf(file, hunks, { oldLine }, { old_line: oldLine, new_line: null })
}

function codeOf(
  { newPath }: FileDiff,
  hunks: readonly Hunk[],
  line: { oldLine: number } | { newLine: number },
  position: Pick<NotePosition, 'old_line' | 'new_line'>,
) {
  return { position, line_code: lineCodeOf(newPath, numbersOf(hunks, line)) }
}

async function lineCount(
  repositories: Pick<Repositories, 'readFile'>,
  projectId: number,
  sha: string,
  { newPath }: FileDiff,
): Promise<number> {
  const text = (await repositories.readFile(projectId, sha, newPath)) ?? ''
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
