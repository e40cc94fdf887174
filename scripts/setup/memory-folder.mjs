import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'

const MEMORY = '/dev/shm'

/** Tests of large files and of constant memory use need about 2 GiB at once. */
const NEEDED_BYTES = 8 * 1024 ** 3

/**
 * Puts temporary files of child processes into memory if there is enough. Databases flush each transaction, which takes
 * milliseconds on a disk. If `TMPDIR` is set, that folder is used.
 * @returns {Promise<{ remove(): Promise<void> }>}
 */
export async function useMemoryFolder() {
  if (process.env.TMPDIR || (await freeBytes()) < NEEDED_BYTES) return { remove: () => Promise.resolve() }
  const folder = await mkdtemp(`${MEMORY}/switchyard-`)
  // PostgreSQL runs as a separate user.
  await chmod(folder, 0o1777)
  process.env.TMPDIR = folder
  return { remove: () => rm(folder, { recursive: true, force: true }) }
}

async function freeBytes() {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize
}
