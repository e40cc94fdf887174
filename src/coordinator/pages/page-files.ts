import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { PageName } from '../../addresses/page-table.js'
import { PACKAGE_FOLDER } from '../../lib/package-folder.js'

/** The folder to which `npm run build` writes the code for the browser. */
export const WEB_FOLDER = fileURLToPath(new URL('dist/web', PACKAGE_FOLDER))

/** The files that a page loads first, as addresses from the root of the server. */
export interface PageFiles {
  /** The module that the page starts with. */
  entry: string
  styles: string[]
  /** Modules that the entry will import for this page. */
  modules: string[]
}

interface Chunk {
  file: string
  isEntry?: boolean
  css?: string[]
  imports?: string[]
}

type Manifest = Record<string, Chunk>

export interface WebBuild {
  /** Changes with every build. */
  id: string
  /**
   * The files of a page; undefined if this build does not have the page.
   * @param found what the address names: an overview has a module for each, such as `project-overview.tsx`
   */
  filesOf: (page: PageName, found?: string | null) => PageFiles | undefined
  /** The files of the frame, for an address without a page. */
  frame: PageFiles
}

/** Reads what the build of the pages contains; undefined if it was not built. */
export function readWebBuild(folder: string = WEB_FOLDER): WebBuild | undefined {
  let text: string
  try {
    text = readFileSync(`${folder}/manifest.json`, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const manifest = JSON.parse(text) as Manifest
  const main = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!main) throw new Error(`${folder}/manifest.json names no entry`)
  const filesAround = (starts: readonly (Chunk | undefined)[]): PageFiles => {
    const present = [main, ...starts].filter((chunk) => chunk !== undefined)
    const chunks = [...new Set(present.flatMap((chunk) => withImports(manifest, chunk)))]
    return {
      entry: addressOfFile(main.file),
      styles: [...new Set(chunks.flatMap(({ css = [] }) => css))].map(addressOfFile),
      modules: chunks.filter((other) => other !== main).map(({ file }) => addressOfFile(file)),
    }
  }
  const known = new Map<string, PageFiles>()
  const filesOf = (page: PageName, found: string | null = null): PageFiles | undefined => {
    const chunk = manifest[`pages/${page}/page.tsx`]
    if (!chunk) return undefined
    const key = `${page} ${found}`
    const files = known.get(key) ?? filesAround([chunk, manifest[`pages/${page}/${found}-${page}.tsx`]])
    known.set(key, files)
    return files
  }
  return { id: main.file.replace(/^.*-|\.js$/g, ''), filesOf, frame: filesAround([]) }
}

function withImports(manifest: Manifest, chunk: Chunk): Chunk[] {
  const found = new Set([chunk])
  for (const { imports = [] } of found) {
    for (const name of imports) {
      const imported = manifest[name]
      if (imported) found.add(imported)
    }
  }
  return [...found]
}

function addressOfFile(file: string): string {
  return `/${file}`
}
