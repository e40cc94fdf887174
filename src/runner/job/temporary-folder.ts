import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A folder that only this process uses, for files that mean nothing to the next one. What killed processes left is
 * removed first.
 */
export async function openTemporaryFolder(dataDir: string): Promise<string> {
  for (const abandoned of await abandonedFolders(dataDir)) {
    await rm(abandoned, { recursive: true, force: true })
  }
  const parent = parentIn(dataDir)
  const folder = join(parent, `${process.pid}-${Date.now()}`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/** The folders of processes that are gone, as `openTemporaryFolder` will remove them. */
export async function abandonedFolders(dataDir: string): Promise<string[]> {
  const parent = parentIn(dataDir)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const names = await readdir(parent)
  return names
    .filter((name) => !belongsToRunning(Number(name.split('-')[0])))
    .map((name) => join(parent, name))
}

function parentIn(dataDir: string): string {
  return join(dataDir, 'tmp')
}

function belongsToRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
