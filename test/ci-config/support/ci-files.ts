import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = new URL('../../fixtures/ci-files/', import.meta.url).pathname

/** The files of a project, by path. */
export function ciFiles(project: string): Record<string, string> {
  const root = join(FOLDER, project)
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}
