import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { BlobStore } from '../../ci/storage/blob-store.js'
import { UnsuitableImageError } from '../../ci/storage/errors.js'
import { safeFileName } from '../../ci/storage/safe-file-name.js'
import { sniffType } from '../../ci/storage/sniff-type.js'
import { unlessDeleted } from '../../ci/storage/unless-deleted.js'
import type { Database } from '../../database/connect.js'

/** An image uploaded with a request. */
export interface GivenImage {
  filename: string
  /** Size in bytes. */
  size: number
  /** Reads the image from the start; may be called more than once. */
  open(): Readable
}

export interface StoredAvatar {
  /** Last part of the URL; the extension is the one of the detected type. */
  name: string
  /** Key of the blob: `<folder>/avatar/<32 hex digits>.<extension>`. */
  key: string
}

const MAX_BYTES = 200 * 1024

/**
 * Maximum size of an uploaded image, in bytes. Images between the avatar limit and this one get an error that
 * names the limit.
 */
export const MAX_AVATAR_UPLOAD = 4 * 1024 * 1024

const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  ico: 'image/vnd.microsoft.icon',
  webp: 'image/webp',
}

/** Kind of the owner of an avatar. */
export type AvatarKind = 'project' | 'group' | 'user'

export interface AvatarOwner {
  kind: AvatarKind
  id: number
}

/** Avatar files of projects, groups and users. */
export class Avatars {
  private readonly database: Database
  private readonly blobs: BlobStore

  constructor({ database, blobs }: { database: Database; blobs: BlobStore }) {
    this.database = database
    this.blobs = blobs
  }

  /** Throws `UnsuitableImageError` for an unsupported format or a file that is too large. */
  async check(image: GivenImage): Promise<void> {
    await extensionOf(image)
  }

  /**
   * Replaces the avatar of `owner`; a null `image` deletes it. `store` writes the reference in the database.
   * When `store` throws, for example because the owner was deleted, the new file is deleted. Throws
   * `UnsuitableImageError`.
   */
  async replace<T>(
    { key, ...owner }: AvatarOwner & { key: string | null },
    image: GivenImage | null,
    store: (avatar: StoredAvatar | null) => Promise<T>,
  ): Promise<T> {
    const stored = image && (await this.save(owner, image))
    const recorded = await this.recordOrDiscard(stored, store)
    if (key !== null) await this.blobs.delete(key)
    return recorded
  }

  private async recordOrDiscard<T>(
    stored: StoredAvatar | null,
    store: (avatar: StoredAvatar | null) => Promise<T>,
  ): Promise<T> {
    try {
      return await store(stored)
    } catch (error) {
      if (stored) await this.blobs.delete(stored.key)
      throw error
    }
  }

  private async save({ kind, id }: AvatarOwner, image: GivenImage): Promise<StoredAvatar> {
    const extension = await extensionOf(image)
    const key = `${kind}s/${id}/avatar/${randomBytes(16).toString('hex')}.${extension}`
    await this.blobs.write(key, image.open())
    return { key, name: named(image.filename, extension) }
  }

  /**
   * Content and media type of an avatar. Undefined if it was replaced or deleted in the meantime. Throws
   * `BlobMissingError` if it was lost.
   */
  async read(key: string): Promise<{ body: Readable; contentType: string } | undefined> {
    const extension = key.slice(key.lastIndexOf('.') + 1)
    const contentType = TYPES[extension] ?? 'application/octet-stream'
    const body = await unlessDeleted(
      () => this.blobs.read(key),
      () => isAvatar(this.database, key),
    )
    return body && { body, contentType }
  }

  /** Deletes all avatar files of an owner that is deleted. */
  deleteOf({ kind, id }: AvatarOwner): Promise<void> {
    return this.blobs.deleteBelow(`${kind}s/${id}/avatar`)
  }
}

/** Whether an owner has this avatar. */
async function isAvatar(database: Database, key: string): Promise<boolean> {
  const table = TABLES[key.slice(0, key.indexOf('/'))]
  if (!table) return false
  const row = await database
    .selectFrom(table)
    .select('avatar_key')
    .where('avatar_key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

/** The table of owners, by the first segment of the key. */
const TABLES: Partial<Record<string, 'project' | 'namespace' | 'user_profile'>> = {
  projects: 'project',
  groups: 'namespace',
  users: 'user_profile',
}

async function extensionOf(image: GivenImage): Promise<string> {
  const { extension } = await sniffType(image.open())
  if (extension === undefined || !Object.hasOwn(TYPES, extension)) {
    const formats = Object.values(TYPES).join(', ')
    throw new UnsuitableImageError(
      `file format is not supported. Please try one of the following supported formats: ${formats}`,
    )
  }
  if (image.size > MAX_BYTES) throw new UnsuitableImageError('is too big (should be at most 200 KiB)')
  return extension
}

function named(filename: string, extension: string): string {
  const name = safeFileName(filename).replace(/\.[^.]*$/, '')
  return `${name === '' ? 'avatar' : name}.${extension}`
}
