import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { PACKAGE_FOLDER } from '../../../../lib/package-folder.js'

const FOLDER = new URL('config/templates/', PACKAGE_FOLDER)

/** A CI file that comes with the coordinator; `name` is a path below its folder. Undefined when there is none. */
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
