import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Whether a program of this name can be run from the `PATH`. */
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
    return false // not there, or not for us
  }
}
