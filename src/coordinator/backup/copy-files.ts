import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissingFile, namesIn, readIfThere } from '../../lib/files.js'
import { mapInOrder } from '../../lib/map-in-order.js'
import type { BlobStore, ListedBlob } from '../ci/storage/blob-store.js'
import type { BackupStore } from './backup-store.js'
import { BackupError } from './errors.js'
import type { BackedUpFile } from './manifest.js'
import { repositoryPaths } from './repository-refs.js'

export type Files = Map<string, BackedUpFile>

/** Files that are copied at a time. */
const AT_ONCE = 8
/** A repository that is repacked again and again while it is copied: each time all its packs are copied. */
const MAX_LISTINGS = 20

const PACK = /^(pack-[0-9a-f]+)\.(?:pack|idx|rev)$/

/** The locations of the files of an instance. */
export interface FileSource {
  dataDir: string
  /** Undefined = blobs are in the data folder, and are copied as files. */
  blobs: BlobStore | undefined
}

/** What the second pass over the files knows. */
export interface SecondPass {
  /** The files of the first pass. */
  before: Files
  /** Sizes of the files of jobs that ran at the moment of the backup, by path. */
  sizes: ReadonlyMap<string, number>
}

/**
 * Copies blobs, logs, and objects of repositories. A blob or an object never changes, so the second pass takes those of the
 * first one. A file that no longer exists is left out.
 */
export async function copyFiles(
  backup: BackupStore,
  { dataDir, blobs }: FileSource,
  second?: SecondPass,
): Promise<Files> {
  const files: Files = new Map()
  const copied = blobs
    ? mapInOrder(blobs.list(), AT_ONCE, (blob) => copyStoredBlob(backup, blobs, blob, second))
    : mapInOrder(pathsBelow(dataDir, 'blobs'), AT_ONCE, (path) => copyBlob(backup, dataDir, path, second))
  for await (const file of copied) {
    if (file) files.set(file.path, file)
  }
  for await (const file of mapInOrder(pathsBelow(dataDir, 'traces'), AT_ONCE, (path) =>
    copyLog(backup, dataDir, path, second),
  )) {
    if (file) files.set(file.path, file)
  }
  for (const path of repositoryPaths(dataDir)) {
    for (const file of (await copyObjects(backup, dataDir, path, second?.before)) ?? [])
      files.set(file.path, file)
  }
  return files
}

async function copyStoredBlob(
  backup: BackupStore,
  blobs: BlobStore,
  blob: ListedBlob,
  second: SecondPass | undefined,
): Promise<BackedUpFile | undefined> {
  const path = `blobs/${blob.key}`
  return second?.before.get(path) ?? backup.addBlob(path, blob, blobs)
}

async function copyBlob(
  backup: BackupStore,
  dataDir: string,
  path: string,
  second: SecondPass | undefined,
): Promise<BackedUpFile | undefined> {
  return second?.before.get(path) ?? backup.add({ path, from: join(dataDir, path) })
}

/**
 * Copies only the part of a growing log that readers may see: the rest may be the start of a secret. The backup
 * contains what a running job had written at its moment. The index of a log is left out, because it is built again.
 */
async function copyLog(
  backup: BackupStore,
  dataDir: string,
  path: string,
  second: SecondPass | undefined,
): Promise<BackedUpFile | undefined> {
  const from = join(dataDir, path)
  if (second) return backup.add({ path, from, size: second.sizes.get(path) })
  const held = path.endsWith('.log') ? await readIfThere(from.replace(/log$/, 'held')) : undefined
  return backup.add({ path, from, size: held === undefined ? undefined : Number(held) })
}

/**
 * The objects of a repository. A repack writes a new pack before it deletes the old ones, and loose objects after their
 * pack is there. So loose objects are listed first, and everything is listed again when a listed file was deleted.
 * Undefined if the repository was deleted.
 */
async function copyObjects(
  backup: BackupStore,
  dataDir: string,
  path: string,
  known?: Files,
): Promise<BackedUpFile[] | undefined> {
  for (let listings = 0; listings < MAX_LISTINGS; listings++) {
    const listed = [...(await looseObjects(dataDir, path)), ...(await packs(dataDir, path))]
    const copied: (BackedUpFile | undefined)[] = []
    const copy = async (file: string) =>
      known?.get(file) ?? backup.add({ path: file, from: join(dataDir, file) })
    for await (const file of mapInOrder(listed, AT_ONCE, copy)) copied.push(file)
    if ((await readIfThere(join(dataDir, path, 'HEAD'))) === undefined) return undefined
    const now = new Set(await packs(dataDir, path))
    const hasLost = listed.some((file) => file.includes('/pack/') && !now.has(file))
    const whole = copied.filter((file) => file !== undefined)
    if (whole.length === listed.length && !hasLost) return whole
  }
  throw new BackupError(`${join(dataDir, path)} was repacked all the time. Run the command again later.`)
}

async function looseObjects(dataDir: string, path: string): Promise<string[]> {
  const found: string[] = []
  for (const shard of await namesIn(join(dataDir, path, 'objects'))) {
    if (!/^[0-9a-f]{2}$/.test(shard)) continue
    for (const name of await namesIn(join(dataDir, path, 'objects', shard))) {
      if (/^[0-9a-f]{38,62}$/.test(name)) found.push(`${path}/objects/${shard}/${name}`)
    }
  }
  return found
}

/** The files of complete packs: git writes the index last. */
async function packs(dataDir: string, path: string): Promise<string[]> {
  const folder = `${path}/objects/pack`
  const names = await namesIn(join(dataDir, folder))
  const complete = new Set(names.filter((name) => name.endsWith('.idx')).map((name) => PACK.exec(name)?.[1]))
  return names
    .filter((name) => {
      const pack = PACK.exec(name)?.[1]
      return pack !== undefined && complete.has(pack)
    })
    .map((name) => `${folder}/${name}`)
}

async function* pathsBelow(dataDir: string, folder: string): AsyncGenerator<string> {
  for (const entry of await entriesIn(join(dataDir, folder))) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* pathsBelow(dataDir, path)
    else if (entry.isFile() && isKept(path)) yield path
  }
}

function isKept(path: string): boolean {
  return path.startsWith('blobs/') || /\/\d+\.(?:log|times)$/.test(path)
}

async function entriesIn(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}
