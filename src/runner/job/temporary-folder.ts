import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Creates a folder for files that only this process uses. First removes the folders that killed processes left
 * behind.
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

/** The folders of processes that no longer exist. `openTemporaryFolder` removes them. */
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
