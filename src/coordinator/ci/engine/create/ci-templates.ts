import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { PACKAGE_FOLDER } from '../../../../lib/package-folder.js'

const FOLDER = new URL('config/templates/', PACKAGE_FOLDER)
const ENDING = '.gitlab-ci.yml'

/** Returns a built-in CI file; `name` is a path relative to its folder. Undefined if there is none. */
export async function readTemplate(name: string): Promise<string | undefined> {
  const parts = name.split('/')
  if (parts.some((part) => part === '' || part.startsWith('.') || /[\\\0]/.test(part))) return undefined
  try {
    return await readFile(fileURLToPath(new URL(parts.map(encodeURIComponent).join('/'), FOLDER)), 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}

/** Names of the built-in CI files, in alphabetical order; none if the folder is missing. */
export async function listTemplates(): Promise<string[]> {
  try {
    const paths = await readdir(fileURLToPath(FOLDER), { recursive: true })
    return paths.filter((path) => path.endsWith(ENDING)).toSorted()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
