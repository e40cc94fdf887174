import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Folders of system programs, which the PATH of a user may lack. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/**
 * The first folder that contains all programs in `names`. Searches `more`, the PATH, and the system folders.
 * @param {string[]} names
 * @param {string[]} [more]
 * @returns {Promise<string | undefined>}
 */
export async function folderWith(names, more = []) {
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const folder of [...more, ...path, ...SYSTEM_FOLDERS]) {
    const found = await Promise.all(names.map((name) => isProgram(join(folder, name))))
    if (found.every(Boolean)) return folder
  }
  return undefined
}

/**
 * @param {string} name
 * @returns {Promise<string | undefined>} its path
 */
export async function findProgram(name) {
  const folder = await folderWith([name])
  return folder && join(folder, name)
}

/** @param {string} path */
async function isProgram(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
