import { diffOf } from './diffs.js'
import type { Reading } from './reading.js'

/** In characters. */
const MAX_DIFF_LENGTH = 64 * 1024
/** Changed files that are shown. */
const MAX_FILES = 200

interface DiffedRepositories {
  reading: (projectId: number, signal: AbortSignal) => Reading
  commitOf: (projectId: number, id: string) => Promise<string | undefined>
}

/** The diff between two commits as git prints it, cut if it is long; empty if one of them does not exist. */
export async function diffText(
  repositories: DiffedRepositories,
  projectId: number,
  { from, to }: { from: string; to: string },
): Promise<string> {
  const commits = await Promise.all([from, to].map((id) => repositories.commitOf(projectId, id)))
  if (commits.includes(undefined)) return ''
  const reading = repositories.reading(projectId, new AbortController().signal)
  const { files } = await diffOf(reading, { from, to, isUnified: true })
  const text = files
    .slice(0, MAX_FILES)
    .map(({ oldPath, newPath, diff }) => `diff --git a/${oldPath} b/${newPath}\n${diff}`)
    .join('')
  const isCut = text.length > MAX_DIFF_LENGTH || files.length > MAX_FILES
  return isCut ? `${text.slice(0, MAX_DIFF_LENGTH)}\n… (cut)` : text
}
