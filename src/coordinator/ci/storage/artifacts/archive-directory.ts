import type { PackedEntry } from '../../../../archive/packed-entry.js'

/** An entry of a folder in an archive. */
export interface ListedEntry {
  name: string
  type: 'directory' | 'file'
  /** Unpacked, in bytes; of a folder, that of all files below it. */
  size: number
  /** Number of entries of a folder. */
  entries?: number
}

/** A part of the entries of a folder. */
export interface FolderListing {
  entries: ListedEntry[]
  /** Number of entries of the folder; with a search, of those that it finds. */
  total: number
}

/** Which entries of a folder to list. */
export interface ListingRange {
  offset: number
  count: number
  /** Only entries whose name contains this text, in any case. */
  search?: string
}

interface Folder {
  folders: Map<string, Folder>
  /** Names of the files, in the order of the archive until they are sorted. */
  names: string[]
  /** Their positions in `PackedNumbers`. */
  ids: number[]
  /** Names of `folders`, once they are sorted. */
  folderNames: string[]
  /** Bytes of all files below. */
  size: number
}

/** Estimated memory in bytes: of a file with its numbers, of a folder, and of a character of a name. */
const FILE_BYTES = 120
const FOLDER_BYTES = 400
const CHARACTER_BYTES = 2

/**
 * The files of an archive by their folders. The first of several files with one name counts. Names that lead to no
 * place in the archive, such as `../a`, are left out. Memory is saved, because an archive may have a million files.
 */
export class ArchiveDirectory {
  /** Estimated bytes of memory. */
  bytes = FOLDER_BYTES
  private readonly root = newFolder()
  private readonly numbers = new PackedNumbers()
  private last: { path: string; folder: Folder } = { path: '', folder: this.root }

  /** Adds the next entry of the archive. */
  add(entry: PackedEntry & { kind: 'file' | 'directory' }): void {
    if (entry.kind === 'directory') {
      this.folderOf(entry.name.replace(/\/$/, ''))
      return
    }
    const end = entry.name.lastIndexOf('/')
    const name = entry.name.slice(end + 1)
    const folder = isName(name) ? this.folderOf(end < 0 ? '' : entry.name.slice(0, end)) : undefined
    if (!folder) return
    folder.names.push(name)
    folder.ids.push(this.numbers.push(entry))
    this.bytes += FILE_BYTES + entry.name.length * CHARACTER_BYTES
  }

  /** Must be called after the last entry. */
  finish(): void {
    finishFolder(this.root, this.numbers)
  }

  find(path: string): PackedEntry | undefined {
    const end = path.lastIndexOf('/')
    const folder = this.folderAt(end < 0 ? '' : path.slice(0, end))
    const name = path.slice(end + 1)
    const id = folder?.ids[indexOfName(folder.names, name)]
    return id === undefined ? undefined : this.numbers.at(id, path)
  }

  /** Folders first, then files, each by name. Undefined if there is no such folder; an empty path is the whole archive. */
  list(path: string, { offset, count, search = '' }: ListingRange): FolderListing | undefined {
    const folder = this.folderAt(path)
    if (!folder) return undefined
    const total = lengthOf(folder)
    const found = search === '' ? undefined : positionsOf(folder, search)
    const last = Math.min(offset + count, found?.length ?? total)
    const entries: ListedEntry[] = []
    for (let at = offset; at < last; at++) entries.push(this.entryAt(folder, found?.[at] ?? at))
    return { entries, total: found?.length ?? total }
  }

  /** The entry at a position among the folders, and then the files. */
  private entryAt({ folderNames, names, ids, folders }: Folder, at: number): ListedEntry {
    const inner = folders.get(folderNames[at] ?? '')
    const file = at - folderNames.length
    return inner
      ? { name: folderNames[at] ?? '', type: 'directory', size: inner.size, entries: lengthOf(inner) }
      : { name: names[file] ?? '', type: 'file', size: this.numbers.sizeOf(ids[file] ?? 0) }
  }

  private folderAt(path: string): Folder | undefined {
    if (path === '') return this.root
    let folder: Folder | undefined = this.root
    for (const name of path.split('/')) folder = folder?.folders.get(name)
    return folder
  }

  /** Creates the folder if it is new. Undefined for a path that leads to no place. */
  private folderOf(path: string): Folder | undefined {
    if (path === this.last.path) return this.last.folder
    const names = path === '' ? [] : path.split('/')
    if (!names.every(isName)) return undefined
    let folder = this.root
    for (const name of names) folder = folder.folders.get(name) ?? this.addFolder(folder, name)
    this.last = { path, folder }
    return folder
  }

  private addFolder(parent: Folder, name: string): Folder {
    const folder = newFolder()
    parent.folders.set(name, folder)
    this.bytes += FOLDER_BYTES + name.length * CHARACTER_BYTES
    return folder
  }
}

const FIELDS = 5
const FIRST_CAPACITY = 64

/** What is known of entries besides their names, in one array. */
class PackedNumbers {
  private count = 0
  private values = new Float64Array(FIRST_CAPACITY * FIELDS)

  /** Returns the position. */
  push({ size, compressedSize, crc32, offset, method, isEncrypted }: PackedEntry): number {
    const at = this.count * FIELDS
    if (at === this.values.length) {
      const grown = new Float64Array(this.values.length * 2)
      grown.set(this.values)
      this.values = grown
    }
    this.values.set([size, compressedSize, crc32, offset, method * 2 + (isEncrypted ? 1 : 0)], at)
    return this.count++
  }

  at(id: number, name: string): PackedEntry {
    const [size = 0, compressedSize = 0, crc32 = 0, offset = 0, method = 0] = this.values.subarray(
      id * FIELDS,
      (id + 1) * FIELDS,
    )
    return { name, size, compressedSize, crc32, offset, method: method >> 1, isEncrypted: (method & 1) === 1 }
  }

  sizeOf(id: number): number {
    return this.values[id * FIELDS] ?? 0
  }
}

function newFolder(): Folder {
  return { folders: new Map(), names: [], ids: [], folderNames: [], size: 0 }
}

/** Sorts the names, and adds up the sizes. */
function finishFolder(root: Folder, numbers: PackedNumbers): void {
  // Not recursive: names may have thousands of parts. Inner folders come after outer ones.
  const all = [root]
  for (const folder of all) all.push(...folder.folders.values())
  for (const folder of all.toReversed()) {
    const order = folder.names.map((name, index) => ({ name, id: folder.ids[index] ?? 0 }))
    order.sort((one, other) => compare(one.name, other.name) || one.id - other.id)
    const first = order.filter(({ name }, index) => name !== order[index - 1]?.name)
    folder.names = first.map(({ name }) => name)
    folder.ids = first.map(({ id }) => id)
    folder.folderNames = [...folder.folders.keys()].sort(compare)
    for (const id of folder.ids) folder.size += numbers.sizeOf(id)
    for (const inner of folder.folders.values()) folder.size += inner.size
  }
}

/** Positions of the entries whose names contain a text, in any case. */
function positionsOf({ folderNames, names }: Folder, search: string): number[] {
  const text = search.toLowerCase()
  const positions: number[] = []
  for (const [index, name] of [...folderNames, ...names].entries())
    if (name.toLowerCase().includes(text)) positions.push(index)
  return positions
}

function lengthOf({ folders, names }: Folder): number {
  return folders.size + names.length
}

/** By code units: comparing by language takes seconds for 200,000 names. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function indexOfName(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(names[middle] ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return names[low] === name ? low : -1
}

/** Whether a part of a path names a file or folder. */
function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !part.includes('\0')
}
