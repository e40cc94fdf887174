import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Whether a program with this name is in the `PATH`. */
export async function isInstalled(program: string): Promise<boolean> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (await isProgram(join(folder, program))) return true
  }
  return false
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false // it does not exist, or this user cannot run it
  }
}
