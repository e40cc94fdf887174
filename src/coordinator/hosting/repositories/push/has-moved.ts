import { open } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Git writes the name of who moves a ref into the ref's log. A push runs under a name of its own, so that it can be
 * told for sure, also after a crash and after later pushes, which refs it has moved.
 */
export function pusherEnvironment(pushId: number, email: string): Record<string, string> {
  return { GIT_COMMITTER_NAME: pusherName(pushId), GIT_COMMITTER_EMAIL: email }
}

/** End of a log that is looked at: hundreds of moves, of which only those since the push matter. */
const LOG_BYTES = 256 * 1024

/**
 * Whether this push moved `ref` (a full name). Git's own command shows only the moves that lead to commits, and tags
 * need not, so the file is read: `<before> <after> <name> <<email>> <time>` in each line.
 */
export async function hasMoved(gitDir: string, pushId: number, ref: string): Promise<boolean> {
  const log = await readEnd(join(gitDir, 'logs', ref))
  const move = new RegExp(`^[0-9a-f]+ [0-9a-f]+ ${pusherName(pushId)} <`, 'm')
  return move.test(log)
}

/** Empty for a ref that does not exist: its log is deleted with it. No ref has a name that the file system refuses. */
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
