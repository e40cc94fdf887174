import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'

const MEMORY = '/dev/shm'

/** Tests of large files and of their flat memory hold about 2 GiB at once. */
const NEEDED_BYTES = 8 * 1024 ** 3

/**
 * Puts temporary files of child processes into memory where there is room: stores flush each transaction, which takes
 * milliseconds on a disk. A folder that `TMPDIR` names stays in use.
 * @returns {Promise<{ remove(): Promise<void> }>}
 */
export async function useMemoryFolder() {
  if (process.env.TMPDIR || (await freeBytes()) < NEEDED_BYTES) return { remove: () => Promise.resolve() }
  const folder = await mkdtemp(`${MEMORY}/switchyard-`)
  // PostgreSQL runs as a user of its own.
  await chmod(folder, 0o1777)
  process.env.TMPDIR = folder
  return { remove: () => rm(folder, { recursive: true, force: true }) }
}

async function freeBytes() {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize
}
