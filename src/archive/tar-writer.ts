import { constants, type Stats } from 'node:fs'
import { lstat, open, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { type Header, type Pack, pack } from 'tar-stream'

/** An item of a tar. Names are relative, with `/`. */
export type TarItem = { name: string; owner: TarOwner } & (
  | { kind: 'directory'; mode?: number }
  | { kind: 'file'; content: string; mode: number }
  /**
   * A file of exactly `size` bytes, which is opened when its turn comes. It is skipped if it no longer exists then.
   */
  | { kind: 'stream'; size: number; mode: number; open: () => Promise<Readable | undefined> }
  /** A host directory with all its content. Links stay links, and write permission for others is removed. */
  | { kind: 'tree'; root: string }
)

interface TarOwner {
  uid: number
  gid: number
}

type EntryHeader = Partial<Header> & Pick<Header, 'name'>

/** Files up to this size are read at once. Larger ones are streamed. */
const SMALL_FILE_BYTES = 256 * 1024
const DIRECTORY_MODE = 0o755
/** Modes of the files in trees. */
const TREE_MODES = 0o755
/** Larger user IDs do not fit into the fields of a tar (seven octal digits). */
const MAX_NUMBER = 0o7777777

/**
 * Writes a tar of the items, in order. One file is open at a time. An error, such as a missing file, destroys the
 * stream. With tar-stream itself, because archiver, which builds on it, passes no owner on.
 */
export function writeTar(items: Iterable<TarItem> | AsyncIterable<TarItem>): Readable {
  const archive = pack()
  addAll(archive, items).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return Readable.from(archive, { objectMode: false })
}

async function addAll(archive: Pack, items: Iterable<TarItem> | AsyncIterable<TarItem>): Promise<void> {
  for await (const item of items) await addItem(archive, item)
}

async function addItem(archive: Pack, item: TarItem): Promise<void> {
  switch (item.kind) {
    case 'directory':
      await add(archive, headerOf(item, { type: 'directory', mode: item.mode ?? DIRECTORY_MODE }))
      break
    case 'file': {
      const { mode, content } = item
      await add(archive, headerOf(item, { type: 'file', mode }), Buffer.from(content))
      break
    }
    case 'stream': {
      const { size, mode, open } = item
      const content = await open()
      if (content) await pipeline(content, archive.entry(headerOf(item, { type: 'file', mode, size })))
      break
    }
    case 'tree':
      await addTree(archive, item, item.root)
      break
  }
}

async function addTree(archive: Pack, { name, owner }: TarItem, path: string): Promise<void> {
  const stats = await lstat(path)
  const header = headerOf({ name, owner }, { mode: stats.mode & TREE_MODES, mtime: stats.mtime })
  if (stats.isSymbolicLink()) {
    await add(archive, { ...header, type: 'symlink', mode: 0o777, linkname: await readlink(path) })
  } else if (stats.isDirectory()) {
    await add(archive, { ...header, type: 'directory', mode: (stats.mode & TREE_MODES) | 0o700 })
    const children = await readdir(path)
    for (const child of children) {
      await addTree(archive, { name: `${name}/${child}`, owner, kind: 'directory' }, join(path, child))
    }
  } else if (stats.isFile()) await addFile(archive, header, path, stats)
}

async function addFile(archive: Pack, header: EntryHeader, path: string, { size }: Stats): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (size <= SMALL_FILE_BYTES) await add(archive, header, await file.readFile())
    else await pipeline(file.createReadStream({ autoClose: false }), archive.entry({ ...header, size }))
  } finally {
    await file.close()
  }
}

/** Resolves when the entry is in the archive and was consumed. */
async function add(archive: Pack, header: EntryHeader, content = Buffer.alloc(0)): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    archive.entry(header, content, (error) => (error ? reject(error) : resolve()))
  })
}

function headerOf({ name, owner }: Pick<TarItem, 'name' | 'owner'>, more: Partial<Header>): EntryHeader {
  const { uid, gid } = owner
  const isLarge = Math.max(uid, gid) > MAX_NUMBER
  const large = isLarge ? { pax: { uid: String(uid), gid: String(gid) } } : {}
  return { name, uid, gid, ...large, ...more }
}
