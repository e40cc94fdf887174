import { NotAFileError } from '../../archive/errors.js'
import type { SmallFile, Workspace } from './workspace.js'

/** Reads a regular file below the project directory of a job (see `JobWorkspace.readSmallFile`). */
export async function readSmallFile(
  workspace: Pick<Workspace, 'openFile'>,
  name: string,
  maximumBytes: number,
  signal: AbortSignal,
): Promise<SmallFile> {
  try {
    const file = await workspace.openFile(name, signal)
    if (file.size > maximumBytes) {
      await file.close()
      return { kind: 'too-large' }
    }
    const pieces: Buffer[] = []
    for await (const piece of file.content) pieces.push(piece)
    return { kind: 'content', content: Buffer.concat(pieces) }
  } catch (error) {
    if (isNoFile(error)) return { kind: 'missing' }
    throw error
  }
}

function isNoFile(error: unknown): boolean {
  if (error instanceof NotAFileError) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)
}
