import { mapInOrder } from '../lib/map-in-order.js'
import { TaskGroup } from '../lib/task-group.js'
import { SMALL_FILE_BYTES } from './archive-input.js'
import { safeComponents } from './entry-name.js'
import { DEFAULT_LIMITS, ExtractBudget, type ExtractLimits } from './extract-limits.js'
import { FileSource } from './random-access.js'
import { type EntryTraits, fillFile, SafeTree } from './safe-tree.js'
import { type ZipEntry, ZipReader } from './zip-reader.js'

export interface Extraction {
  entries: number
  /** Names that were skipped: devices, sockets, pipes, and links without a target. */
  refused: string[]
}

const MAX_LINK_BYTES = 4096
/** Number of small entries that are unpacked at a time. With `SMALL_FILE_BYTES`, it limits the memory in use. */
const ENTRIES_AT_ONCE = 8
const WRITES_AT_ONCE = 8

/**
 * Unpacks a zip file of the host into `directory`, over existing files. Names and sizes are checked before the
 * first byte is written. Throws `UnsafeArchiveError` for a name that leaves the directory, and for an archive that
 * exceeds the limits. An entry below a link also causes it, in the middle of unpacking: links are created as they are
 * stored, wherever they point, and nothing is ever written through one. Throws `UnreadableArchiveError` for a file that is not a zip or is damaged.
 */
export async function extractZip(
  zipFile: string,
  directory: string,
  signal?: AbortSignal,
  limits: ExtractLimits = DEFAULT_LIMITS,
): Promise<Extraction> {
  const source = await FileSource.open(zipFile)
  try {
    await checkAll(await ZipReader.open(source), source.size, limits, signal)
    return await unpackAll(await ZipReader.open(source), new SafeTree(directory), signal)
  } finally {
    await source.close()
  }
}

async function checkAll(
  reader: ZipReader,
  archiveBytes: number,
  limits: ExtractLimits,
  signal?: AbortSignal,
): Promise<void> {
  const budget = new ExtractBudget(limits, archiveBytes)
  for await (const entry of reader.entries()) {
    signal?.throwIfAborted()
    safeComponents(entry.name)
    budget.take(entry)
  }
}

async function unpackAll(reader: ZipReader, tree: SafeTree, signal?: AbortSignal): Promise<Extraction> {
  const extraction: Extraction = { entries: 0, refused: [] }
  const writes = new TaskGroup(WRITES_AT_ONCE)
  const ahead = (entry: ZipEntry) => readAhead(reader, entry)
  try {
    for await (const { entry, content } of mapInOrder(reader.entries(), ENTRIES_AT_ONCE, ahead)) {
      signal?.throwIfAborted()
      const isUnpacked = await unpackOne({ reader, tree, writes, signal }, entry, content)
      if (isUnpacked) extraction.entries += 1
      else extraction.refused.push(entry.name)
    }
    await writes.finish()
    await tree.finish()
    return extraction
  } finally {
    await writes.drain()
    await tree.close()
  }
}

interface Ahead {
  entry: ZipEntry
  /** Undefined for entries that are streamed, or not read. */
  content: Buffer | undefined
}

/** Unpacks small files before it is their turn to be written. */
async function readAhead(reader: ZipReader, entry: ZipEntry): Promise<Ahead> {
  const isSmall = entry.size <= (entry.kind === 'link' ? MAX_LINK_BYTES : SMALL_FILE_BYTES)
  const isWanted = entry.kind === 'file' || entry.kind === 'link'
  return { entry, content: isSmall && isWanted ? await reader.read(entry) : undefined }
}

interface Unpacking {
  reader: ZipReader
  tree: SafeTree
  writes: TaskGroup
  signal: AbortSignal | undefined
}

/**
 * Names are created in the order of the archive, which decides what replaces what. Contents are written
 * concurrently.
 */
async function unpackOne(
  unpacking: Unpacking,
  entry: ZipEntry,
  content: Buffer | undefined,
): Promise<boolean> {
  const { tree } = unpacking
  const components = safeComponents(entry.name)
  switch (entry.kind) {
    case 'directory':
      await tree.createDirectory(components, traitsOf(entry, 0o755))
      return true
    case 'file':
      await unpackFile(unpacking, entry, components, content)
      return true
    case 'link':
      return await unpackLink(tree, entry, components, content)
    case 'special':
      return false
  }
}

async function unpackFile(
  { reader, tree, writes, signal }: Unpacking,
  entry: ZipEntry,
  components: string[],
  content: Buffer | undefined,
): Promise<void> {
  await writes.untilRoom()
  const file = await tree.createFile(components)
  writes.start(() =>
    fillFile(file, async () => content ?? reader.stream(entry), traitsOf(entry, 0o644), signal),
  )
}

async function unpackLink(
  tree: SafeTree,
  entry: ZipEntry,
  components: string[],
  content: Buffer | undefined,
): Promise<boolean> {
  if (!content || content.length === 0 || content.includes(0)) return false
  await tree.writeLink(components, content, traitsOf(entry, 0o777))
  return true
}

function traitsOf(entry: ZipEntry, defaultMode: number): EntryTraits {
  return { mode: entry.mode ?? defaultMode, modified: entry.modified }
}
