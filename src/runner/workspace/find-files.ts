import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expandBraces, matchComponent } from '../../lib/glob.js'
import { isMissing } from './remove-tree.js'

export type FoundKind = 'file' | 'directory' | 'special'

/** Longer names cannot be opened: with the directory of the workspace, a path has at most 4096 bytes. */
const MAX_NAME_LENGTH = 3072

/** Called for each name below the root. Links count as files, because they are never followed. */
export type OnFound = (name: string, kind: FoundKind) => void

/**
 * Finds the matches of a doublestar glob below `root`, including everything inside matching directories (runner
 * protocol, 5.4). Reads only directories that can contain a match. A name may be reported more than once.
 */
export async function findFiles(
  root: string,
  pattern: string,
  onFound: OnFound,
  signal?: AbortSignal,
): Promise<void> {
  for (const alternative of expandBraces(pattern)) {
    await new Search(root, alternative.split('/'), onFound, signal).visit('', 0)
  }
}

/** Reports everything below a directory. */
export async function walk(
  root: string,
  directory: string,
  onFound: OnFound,
  signal?: AbortSignal,
): Promise<void> {
  for (const entry of await entriesOf(root, directory, signal)) {
    const name = joined(directory, entry.name)
    const isTooLong = name.length > MAX_NAME_LENGTH
    onFound(name, isTooLong ? 'special' : kindOf(entry))
    if (entry.isDirectory() && !isTooLong) await walk(root, name, onFound, signal)
  }
}

class Search {
  private readonly visited = new Set<string>()

  constructor(
    private readonly root: string,
    private readonly components: string[],
    private readonly onFound: OnFound,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** `directory` has matched the components before `at`. */
  async visit(directory: string, at: number): Promise<void> {
    const key = `${at}:${directory}`
    if (this.visited.has(key)) return
    this.visited.add(key)
    const component = this.components[at]
    if (component === undefined) await walk(this.root, directory, this.onFound, this.signal)
    else if (component === '**') await this.visitAnyDepth(directory, at)
    else if (isPlain(component)) await this.visitOne(joined(directory, component), at + 1)
    else await this.visitMatching(directory, component, at + 1)
  }

  /** A final `**` also matches the directory itself, which includes everything in it. */
  private async visitAnyDepth(directory: string, at: number): Promise<void> {
    if (at + 1 === this.components.length && directory !== '') this.onFound(directory, 'directory')
    await this.visit(directory, at + 1)
    if (at + 1 === this.components.length) return
    for (const entry of await entriesOf(this.root, directory, this.signal)) {
      if (entry.isDirectory()) await this.visit(joined(directory, entry.name), at)
    }
  }

  private async visitMatching(directory: string, component: string, next: number): Promise<void> {
    for (const entry of await entriesOf(this.root, directory, this.signal)) {
      if (matchComponent(component, entry.name)) await this.take(joined(directory, entry.name), entry, next)
    }
  }

  private async visitOne(name: string, next: number): Promise<void> {
    try {
      await this.take(name, await lstat(join(this.root, name)), next)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }

  private async take(name: string, found: EntryKind, next: number): Promise<void> {
    if (next === this.components.length) this.onFound(name, kindOf(found))
    if (found.isDirectory()) await this.visit(name, next)
  }
}

type EntryKind = Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>

function kindOf(entry: EntryKind): FoundKind {
  if (entry.isDirectory()) return 'directory'
  return entry.isFile() || entry.isSymbolicLink() ? 'file' : 'special'
}

/** A directory that no longer exists has no entries. */
async function entriesOf(
  root: string,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<Dirent[]> {
  signal?.throwIfAborted()
  try {
    return await readdir(join(root, directory), { withFileTypes: true })
  } catch (error) {
    if (directory !== '' && isMissing(error)) return []
    throw error
  }
}

function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

function isPlain(component: string): boolean {
  return !/[*?[\\]/.test(component)
}
