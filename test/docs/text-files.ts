import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface TextFile {
  /** Relative to the root of the repository. */
  path: string
  text: string
}

/** The files below a folder whose names end so, in the order of their paths. */
export function textFiles(folder: string, ending: string): TextFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name))
    .sort()
    .map((file) => ({ path: file, text: readFileSync(file, 'utf8') }))
}
