import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { PACKAGE_FOLDER } from '../../../lib/package-folder.js'

/** Files of the installation; operators may add their own. */
const FOLDER = new URL('config/templates/', PACKAGE_FOLDER)

export const TEMPLATE_KINDS = ['gitignores', 'gitlab_ci_ymls', 'dockerfiles', 'licenses'] as const
export type TemplateKind = (typeof TEMPLATE_KINDS)[number]

const PLACES: Record<TemplateKind, { folder: string; ending: string }> = {
  gitignores: { folder: 'gitignores/', ending: '.gitignore' },
  // In the folder itself and below it, because `include: template` finds them there.
  gitlab_ci_ymls: { folder: './', ending: '.gitlab-ci.yml' },
  dockerfiles: { folder: 'dockerfiles/', ending: '.Dockerfile' },
  licenses: { folder: 'licenses/', ending: '.txt' },
}

/** Keys of the templates of a kind, with their folder (`Pages/Hugo`), in alphabetical order. */
export async function templateKeys(kind: TemplateKind): Promise<string[]> {
  const { folder, ending } = PLACES[kind]
  return (await filesIn(new URL(folder, FOLDER)))
    .filter((name) => name.endsWith(ending) && name !== ending)
    .map((name) => name.slice(0, -ending.length))
    .sort((one, other) => one.localeCompare(other, 'en'))
}

/** Content of a template; undefined if there is none with this key. */
export async function readTemplateFile(kind: TemplateKind, key: string): Promise<string | undefined> {
  // Compared with the existing files, so that no key names a path elsewhere.
  if (!(await templateKeys(kind)).includes(key)) return undefined
  const { folder, ending } = PLACES[kind]
  return readFile(join(fileURLToPath(new URL(folder, FOLDER)), key + ending), 'utf8')
}

/** Paths of the files below a folder, relative to it. */
async function filesIn(folder: URL): Promise<string[]> {
  const root = fileURLToPath(folder)
  try {
    const entries = await readdir(root, { withFileTypes: true, recursive: true })
    const files = entries.filter((entry) => entry.isFile())
    return files.map(({ parentPath, name }) => relative(root, join(parentPath, name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
