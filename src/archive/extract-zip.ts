import { buffer } from 'node:stream/consumers'

import { safeComponents, staysInside } from './entry-name.js'
import { UnsafeArchiveError } from './errors.js'
import { type EntryTraits, SafeTree } from './safe-tree.js'
import { type ZipEntry, ZipReader } from './zip-reader.js'

export interface ExtractLimits {
  maximumEntries: number
  /** Bytes after unpacking, of all entries together. */
  maximumBytes: number
  /** Unpacked to packed bytes, looked at once more than `ratioFromBytes` are unpacked: zeros compress to a 1000th. */
  maximumRatio: number
  ratioFromBytes: number
}

export const DEFAULT_LIMITS: ExtractLimits = {
  maximumEntries: 1_000_000,
  maximumBytes: 100 * 1024 ** 3,
  maximumRatio: 200,
  ratioFromBytes: 1024 ** 3,
}

export interface Extraction {
  entries: number
  /** Names that were left out: links that lead out of the tree, devices, sockets, pipes. */
  refused: string[]
}

const LONGEST_LINK_BYTES = 4096

/**
 * Unpacks a zip file of the host into `directory`, over what is there. Names and sizes are checked before the first
 * byte is written: `UnsafeArchiveError` for a name that leaves the directory or for an archive past the limits.
 * Also throws it, half-way, for an entry below a link, so that nothing is ever written through one.
 */
export async function extractZip(
  zipFile: string,
  directory: string,
  signal?: AbortSignal,
  limits: ExtractLimits = DEFAULT_LIMITS,
): Promise<Extraction> {
  await withReader(zipFile, (reader) => checkAll(reader, limits, signal))
  return await withReader(zipFile, (reader) => unpackAll(reader, new SafeTree(directory), signal))
}

async function withReader<T>(zipFile: string, work: (reader: ZipReader) => Promise<T>): Promise<T> {
  const reader = await ZipReader.openFile(zipFile)
  try {
    return await work(reader)
  } finally {
    reader.close()
  }
}

async function checkAll(reader: ZipReader, limits: ExtractLimits, signal?: AbortSignal): Promise<void> {
  let entries = 0
  let bytes = 0
  for await (const entry of reader.entries()) {
    signal?.throwIfAborted()
    safeComponents(entry.name)
    entries += 1
    bytes += entry.size
    checkLimits(limits, entries, bytes, reader.size)
  }
}

/** The size of the file stands for the packed bytes: entries may overlap, so that their own sum says too much. */
function checkLimits(limits: ExtractLimits, entries: number, bytes: number, packedBytes: number): void {
  if (entries > limits.maximumEntries) {
    throw new UnsafeArchiveError(`The archive has more than ${limits.maximumEntries} entries`)
  }
  if (bytes > limits.maximumBytes) {
    throw new UnsafeArchiveError(`The archive unpacks to more than ${limits.maximumBytes} bytes`)
  }
  if (bytes > limits.ratioFromBytes && bytes / packedBytes > limits.maximumRatio) {
    throw new UnsafeArchiveError(`The archive unpacks to more than ${limits.maximumRatio} times its size`)
  }
}

async function unpackAll(reader: ZipReader, tree: SafeTree, signal?: AbortSignal): Promise<Extraction> {
  const extraction: Extraction = { entries: 0, refused: [] }
  for await (const entry of reader.entries()) {
    signal?.throwIfAborted()
    const isUnpacked = await unpackOne(reader, tree, entry)
    if (isUnpacked) extraction.entries += 1
    else extraction.refused.push(entry.name)
  }
  await tree.finish()
  return extraction
}

async function unpackOne(reader: ZipReader, tree: SafeTree, entry: ZipEntry): Promise<boolean> {
  const components = safeComponents(entry.name)
  switch (entry.kind) {
    case 'directory':
      await tree.makeDirectory(components, traitsOf(entry, 0o755))
      return true
    case 'file':
      await tree.writeFile(components, await reader.open(entry), traitsOf(entry, 0o644))
      return true
    case 'link':
      return await unpackLink(reader, tree, entry, components)
    case 'special':
      return false
  }
}

async function unpackLink(
  reader: ZipReader,
  tree: SafeTree,
  entry: ZipEntry,
  components: string[],
): Promise<boolean> {
  if (entry.size > LONGEST_LINK_BYTES) return false
  const target = (await buffer(await reader.open(entry))).toString('utf8')
  if (!staysInside(components.join('/'), target)) return false
  await tree.writeLink(components, target, traitsOf(entry, 0o777))
  return true
}

function traitsOf(entry: ZipEntry, defaultMode: number): EntryTraits {
  return { mode: entry.mode ?? defaultMode, modified: entry.modified }
}
