import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { PACKAGE_FOLDER } from '../../../lib/package-folder.js'
import type { TemplateKind, TemplateSource } from './templates.js'

const PLACES: Record<TemplateKind, { folder: string; ending: string }> = {
  gitignores: { folder: 'gitignores', ending: '.gitignore' },
  // Searched in the folder itself and below it, because `include: template` finds them there.
  gitlab_ci_ymls: { folder: '', ending: '.gitlab-ci.yml' },
  dockerfiles: { folder: 'dockerfiles', ending: '.Dockerfile' },
  licenses: { folder: 'licenses', ending: '.txt' },
}

/** Templates in a folder of this machine. A folder that is missing has none. */
export class FolderTemplates implements TemplateSource {
  constructor(private readonly folder: string) {}

  async keys(kind: TemplateKind): Promise<string[]> {
    const { folder, ending } = PLACES[kind]
    return (await filesIn(join(this.folder, folder)))
      .filter((name) => name.endsWith(ending) && name !== ending)
      .map((name) => name.slice(0, -ending.length))
  }

  async read(kind: TemplateKind, key: string): Promise<string | undefined> {
    if (key.split('/').some((part) => part === '' || part.startsWith('.') || /[\\\0]/.test(part)))
      return undefined
    const { folder, ending } = PLACES[kind]
    return unlessMissing(readFile(join(this.folder, folder, key + ending), 'utf8'))
  }
}

/** The templates of the installation. */
export const INSTALLED_TEMPLATES = new FolderTemplates(
  fileURLToPath(new URL('config/templates/', PACKAGE_FOLDER)),
)

/** Paths of the files below a folder, relative to it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await unlessMissing(readdir(folder, { withFileTypes: true, recursive: true }))
  const files = entries?.filter((entry) => !entry.isDirectory()) ?? []
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(code)) return undefined
    throw error
  }
}
