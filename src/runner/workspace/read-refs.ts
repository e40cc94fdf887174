import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { readIfThere } from '../../lib/files.js'

export interface Ref {
  name: string
  sha: string
}

/** With more files, git is as fast. */
const MAX_FILES = 200

/**
 * All refs of a repository, sorted by name, read from its files: `packed-refs`, and one file for each newer ref.
 * Undefined if git must be asked: for very many refs, and for files that contain anything other than an ID.
 */
export async function readRefs(gitDir: string): Promise<Ref[] | undefined> {
  const entries = await readdir(join(gitDir, 'refs'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory())
  if (files.length > MAX_FILES) return undefined
  const shas = packedRefs((await readIfThere(join(gitDir, 'packed-refs'))) ?? '')
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name)
    const sha = /^([0-9a-f]{40,64})\n$/.exec(await readFile(file, 'latin1'))?.[1]
    if (sha === undefined) return undefined
    shas.set(relative(gitDir, file), sha)
  }
  return [...shas].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sha]) => ({ name, sha }))
}

/** Reads lines of the form `<id> <name>`. Others are comments or the targets of tags. */
function packedRefs(text: string): Map<string, string> {
  const lines = [...text.matchAll(/^([0-9a-f]{40,64}) (.+)$/gm)]
  return new Map(lines.map(([, sha = '', name = '']) => [name, sha]))
}
