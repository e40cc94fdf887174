import { open } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Git records the committer identity in the reflog. Each push uses a name of its own, so it can be determined
 * which refs it has moved, even after a crash and later pushes.
 */
export function pusherEnvironment(pushId: number, email: string): Record<string, string> {
  return { GIT_COMMITTER_NAME: pusherName(pushId), GIT_COMMITTER_EMAIL: email }
}

/**
 * Number of bytes read from the end of a reflog: hundreds of moves, of which only those since the push
 * matter.
 */
const LOG_BYTES = 256 * 1024

/**
 * Whether this push moved `ref` (a full name). `git reflog` shows only moves to commits, but a tag may point
 * to other objects. So the file is read; each line is `<before> <after> <name> <<email>> <time>`.
 */
export async function hasMoved(gitDir: string, pushId: number, ref: string): Promise<boolean> {
  const log = await readEnd(join(gitDir, 'logs', ref))
  const move = new RegExp(`^[0-9a-f]+ [0-9a-f]+ ${pusherName(pushId)} <`, 'm')
  return move.test(log)
}

/**
 * Empty for a ref that does not exist, since its reflog is deleted with it. Ref names were checked, so the
 * file system accepts them.
 */
async function readEnd(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const start = Math.max(0, size - LOG_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

const MISSING = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISSING.includes(String(error.code))
}

function pusherName(pushId: number): string {
  return `push-${pushId}`
}
