import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A folder that only this process uses, for files that mean nothing to the next one. What killed processes left is
 * removed first.
 */
export async function openTemporaryFolder(dataDir: string): Promise<string> {
  const parent = join(dataDir, 'tmp')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent)) {
    if (!belongsToRunning(Number(name.split('-')[0])))
      await rm(join(parent, name), { recursive: true, force: true })
  }
  const folder = join(parent, `${process.pid}-${Date.now()}`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

function belongsToRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
