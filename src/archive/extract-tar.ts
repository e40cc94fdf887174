import { Readable } from 'node:stream'

import { type Extract, extract, type Header } from 'tar-stream'

import { UnsafeArchiveError } from './errors.js'
import { DEFAULT_LIMITS, type ExtractLimits } from './extract-limits.js'
import { fillFile, SafeTree } from './safe-tree.js'

type Entry = Extract extends AsyncIterable<infer E> ? E : never

export interface TarDestination {
  /** Directory on the host. */
  root: string
  /** Path below it that replaces the first component of every name. */
  at: string[]
}

/**
 * Unpacks a tar stream that an engine created from the files of a job. Links are created as links, wherever they
 * point, and nothing is written through them. The runner owns the files. They have only read, write and execute
 * permissions. Special files become pipes. Throws `UnsafeArchiveError` for names that leave the directory, which
 * engines never write, and for an archive that exceeds the limits.
 */
export async function extractTar(
  archive: Readable,
  destination: TarDestination,
  signal?: AbortSignal,
  limits: Pick<ExtractLimits, 'maximumEntries' | 'maximumBytes'> = DEFAULT_LIMITS,
): Promise<void> {
  const tree = new SafeTree(destination.root)
  const entries = extract()
  archive.once('error', (error) => entries.destroy(error))
  const stop = () => {
    const reason: unknown = signal?.reason
    entries.destroy(reason instanceof Error ? reason : new Error(String(reason)))
  }
  signal?.throwIfAborted()
  signal?.addEventListener('abort', stop, { once: true })
  const total = { entries: 0, bytes: 0 }
  try {
    for await (const entry of archive.pipe(entries)) {
      count(total, entry.header, limits)
      await unpack(entry, tree, destination)
      entry.resume()
    }
    await tree.finish()
  } finally {
    signal?.removeEventListener('abort', stop)
    archive.destroy()
    await tree.close()
  }
}

function count(
  total: { entries: number; bytes: number },
  { size }: Header,
  limits: Pick<ExtractLimits, 'maximumEntries' | 'maximumBytes'>,
): void {
  total.entries += 1
  total.bytes += size
  if (total.entries > limits.maximumEntries) {
    throw new UnsafeArchiveError(`There are more than ${limits.maximumEntries} files`)
  }
  if (total.bytes > limits.maximumBytes) {
    throw new UnsafeArchiveError(`There are more than ${limits.maximumBytes} bytes of files`)
  }
}

async function unpack(entry: Entry, tree: SafeTree, { at }: TarDestination): Promise<void> {
  const { name, type, mode, mtime, linkname } = entry.header
  const components = [...at, ...componentsBelowFirst(name)]
  const traits = { mode, modified: mtime }
  switch (type) {
    case 'directory':
      await tree.createDirectory(components, traits)
      break
    case 'file':
    case 'contiguous-file':
      await fillFile(await tree.createFile(components), async () => Readable.from(entry), traits)
      break
    case 'symlink':
      await tree.writeLink(components, linkname, traits)
      break
    case 'link':
      await tree.linkFile(components, [...at, ...componentsBelowFirst(linkname)])
      break
    default:
      await tree.createPipe(components)
  }
}

/** A backslash is an ordinary character here. Consumers that cannot handle it must check for it. */
function componentsBelowFirst(name: string): string[] {
  const components = name.split('/').filter((component) => component !== '' && component !== '.')
  if (name.startsWith('/') || name.includes('\0') || components.length === 0 || components.includes('..')) {
    throw new UnsafeArchiveError(`The archive has the name ${JSON.stringify(name)}`)
  }
  return components.slice(1)
}
