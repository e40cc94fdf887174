import type { Database } from '../../database/connect.js'
import type { LineRange, NotePosition } from '../../database/tables/notes.js'
import { inTransaction } from '../../database/transaction.js'
import { diffThreads, moveThread, type NoteRow, outdateThread } from '../../hosting/note-store.js'
import { diffOf } from '../../hosting/repositories/browse/diffs.js'
import type { Reading } from '../../hosting/repositories/browse/reading.js'
import { presentPosition } from '../notes/present-position.js'
import { lockMergeRequest, type MergeRequestRow, type VersionRow } from '../stores/merge-request-store.js'
import { type Hunk, hunksOf, lineAfter, lineBefore } from './diff-hunks.js'
import { completeRange } from './line-range.js'

/** Most discussions that follow one version; the newest ones do. */
const MAX_THREADS = 500

/**
 * Moves the discussions of lines to a new version: to the same lines, wherever they are now. A discussion whose line was
 * changed stays at its version and gets a note; `resolvesOutdated`: it is also resolved.
 */
export async function followVersion(
  database: Database,
  reading: Reading,
  row: MergeRequestRow,
  version: VersionRow,
  resolvesOutdated: boolean,
): Promise<void> {
  const threads = await diffThreads(database, row.id, { exceptAt: version.head_sha, limit: MAX_THREADS })
  if (threads.length === 0) return
  const positionIn = positionsIn(reading, version)
  const moves: [NoteRow, NotePosition | undefined][] = []
  for (const thread of threads) {
    const { position } = thread
    if (position) moves.push([thread, await positionIn(position)])
  }
  const userId = version.pushed_by_id ?? row.author_id
  await inTransaction(database, async (tx) => {
    if (!(await lockMergeRequest(tx, row.id))) return
    for (const [thread, position] of moves) {
      if (position) await moveThread(tx, thread.discussion_id, position)
      else await outdateThread(tx, thread, { userId, resolves: resolvesOutdated })
    }
  })
}

/** Finds lines of other versions in a version; undefined for one that was changed. Each file is compared once. */
export function positionsIn(
  reading: Reading,
  version: VersionRow,
): (position: NotePosition) => Promise<NotePosition | undefined> {
  const differences = new Differences(reading)
  return (position) => moved(differences, position, version)
}

/** The same line in the new version; undefined if it was changed. */
async function moved(
  differences: Differences,
  position: NotePosition,
  { base_sha, start_sha, head_sha }: VersionRow,
): Promise<NotePosition | undefined> {
  const commits = { base_sha, start_sha, head_sha }
  const { old_path, new_path, old_line, new_line } = position
  if (position.position_type !== 'text' || new_path === null || old_path === null) return undefined
  if (new_line !== null) {
    const hunks = await differences.between(position.head_sha, head_sha, new_path)
    const line = hunks && lineAfter(hunks, new_line)
    if (!hunks || line === undefined) return undefined
    const sinceBase = await differences.between(base_sha, head_sha, new_path, old_path)
    const before = sinceBase && lineBefore(sinceBase, line)
    const to = { path: new_path, sinceBase, newLine: (number: number) => lineAfter(hunks, number) }
    const line_range = movedRange(position, to)
    return { ...position, ...commits, new_line: line, old_line: before ?? null, line_range }
  }
  if (old_line === null) return undefined
  const ofBase = await differences.between(position.base_sha, base_sha, old_path)
  const line = ofBase && lineAfter(ofBase, old_line)
  const sinceBase = await differences.between(base_sha, head_sha, new_path, old_path)
  if (!ofBase || line === undefined || !sinceBase || lineAfter(sinceBase, line) !== undefined)
    return undefined
  const to = { path: new_path, sinceBase, oldLine: (number: number) => lineAfter(ofBase, number) }
  return { ...position, ...commits, old_line: line, new_line: null, line_range: movedRange(position, to) }
}

interface Move {
  path: string
  /** Changes of the file in the new version. */
  sinceBase: Hunk[] | undefined
  /** Number of a line of the head, or of the base, in the new version; undefined if it was changed or is not known. */
  newLine?: (number: number) => number | undefined
  oldLine?: (number: number) => number | undefined
}

/** The lines of a comment on several lines in the new version; null if one of the ends was changed. */
function movedRange(position: NotePosition, { path, sinceBase, newLine, oldLine }: Move): LineRange | null {
  const { line_range } = presentPosition(position)
  if (!line_range || !sinceBase) return null
  const [start, end] = [line_range.start, line_range.end].map(({ new_line, old_line }) => {
    const number = newLine ? new_line : old_line
    const moved = number === null ? undefined : (newLine ?? oldLine)?.(number)
    return moved === undefined ? undefined : newLine ? { new_line: moved } : { old_line: moved }
  })
  return (start && end && completeRange({ start, end }, { path, hunks: sinceBase, last: end })) ?? null
}

/** Changes of files between commits, each read once. */
class Differences {
  private readonly known = new Map<string, Hunk[] | undefined>()

  constructor(private readonly reading: Reading) {}

  /** Undefined if the file does not exist any more. No hunks if it is the same. */
  async between(from: string, to: string, path: string, oldPath = path): Promise<Hunk[] | undefined> {
    if (from === to) return []
    const key = [from, to, path, oldPath].join('\0')
    if (!this.known.has(key)) {
      const paths = [...new Set([oldPath, path])]
      const { files } = await diffOf(this.reading, { from, to, paths, context: 0 })
      const file = files.find(({ newPath }) => newPath === path)
      const isGone = file?.isDeleted === true || file?.isTooLarge === true
      this.known.set(key, isGone ? undefined : hunksOf(file?.diff ?? ''))
    }
    return this.known.get(key)
  }
}
