import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

import { type Extract, extract, type Header } from 'tar-stream'

import { unreadable, UnreadableArchiveError, UnsafeArchiveError } from './errors.js'
import type { ExtractLimits } from './extract-limits.js'

type Entry = Extract extends AsyncIterable<infer E> ? E : never

/** The names that an archive may contain. Nothing else is written. */
export interface KnownFiles {
  /** Maximum size in bytes of the file with this name. Undefined for an unknown name. */
  maxBytesOf: (name: string) => number | undefined
  limits: Pick<ExtractLimits, 'maximumEntries' | 'maximumBytes' | 'maximumRatio' | 'ratioFromBytes'>
  signal: AbortSignal
}

/**
 * Unpacks an untrusted tar.gz stream into an empty folder: regular files with known names, each once. Throws
 * `UnsafeArchiveError` for anything else and for exceeded limits, and `UnreadableArchiveError` for an invalid
 * archive.
 */
export async function unpackKnownFiles(archive: Readable, folder: string, known: KnownFiles): Promise<void> {
  const packed = counter(() => undefined)
  const unpacked = counter((bytes) => checkSize(bytes, packed.bytes(), known.limits))
  const entries = extract()
  const unpacking = pipeline(archive, packed.stream, createGunzip(), unpacked.stream, entries, {
    signal: known.signal,
  })
  // Aborts with the error that stopped unpacking. An entry that is being written then ends only by this signal, not
  // by its own stream.
  const stopped = new AbortController()
  unpacking.catch(() => stopped.abort())
  const names = new Set<string>()
  try {
    for await (const entry of entries)
      await unpack(entry, folder, names, { ...known, signal: stopped.signal })
  } catch (error) {
    entries.destroy()
    throw readable(error instanceof UnsafeArchiveError ? error : ((await errorOf(unpacking)) ?? error))
  }
  await unpacking.catch((error: unknown) => {
    throw readable(error)
  })
}

async function unpack(entry: Entry, folder: string, names: Set<string>, known: KnownFiles): Promise<void> {
  const name = entry.header.name.replace(/^\.\//, '')
  if (entry.header.type === 'directory') {
    entry.resume()
    return
  }
  check(entry.header, name, names, known)
  names.add(name)
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: known.signal })
}

function check(
  { type, size }: Header,
  name: string,
  names: Set<string>,
  { maxBytesOf, limits }: KnownFiles,
): void {
  const label = JSON.stringify(name.slice(0, 100))
  const maxBytes = maxBytesOf(name)
  if (maxBytes === undefined) refuse(`has an unexpected entry: ${label}`)
  if (type !== 'file') refuse(`has an entry that is not a file: ${label}`)
  if (names.has(name)) refuse(`has a file twice: ${label}`)
  if (names.size >= limits.maximumEntries) refuse(`has more than ${limits.maximumEntries} files`)
  if (size > maxBytes) refuse(`has a file of more than ${maxBytes} bytes: ${label}`)
}

function checkSize(bytes: number, packedBytes: number, limits: KnownFiles['limits']): void {
  if (bytes > limits.maximumBytes) refuse(`unpacks to more than ${limits.maximumBytes} bytes`)
  if (bytes > limits.ratioFromBytes && bytes / packedBytes > limits.maximumRatio) {
    refuse(`unpacks to more than ${limits.maximumRatio} times its size`)
  }
}

/** Passes bytes on and counts them. */
function counter(onBytes: (bytes: number) => void): { stream: Transform; bytes: () => number } {
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      try {
        onBytes(bytes)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
        return
      }
      done(null, chunk)
    },
  })
  return { stream, bytes: () => bytes }
}

async function errorOf(work: Promise<void>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}

/** Converts the errors of gzip and tar readers for invalid bytes. Others, such as a full disk, stay as they are. */
function readable(error: unknown): unknown {
  if (error instanceof UnsafeArchiveError || error instanceof UnreadableArchiveError) return error
  if (!(error instanceof Error) || error.name === 'AbortError') return error
  const code = 'code' in error ? String(error.code) : ''
  return code === '' || code.startsWith('Z_') ? unreadable(error) : error
}

function refuse(problem: string): never {
  throw new UnsafeArchiveError(`The archive ${problem}`)
}
