import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { BlobStore } from '../../ci/storage/blob-store.js'
import { unlessDeleted } from '../../ci/storage/unless-deleted.js'
import type { Database } from '../../database/connect.js'
import { type GivenImage, imageExtension, imageName, imageType } from './image-format.js'

export interface StoredAvatar {
  /** Last part of the URL; the extension is the one of the detected type. */
  name: string
  /** Key of the blob: `<folder>/avatar/<32 hex digits>.<extension>`. */
  key: string
}

const LIMIT = { maxBytes: 200 * 1024, maxText: '200 KiB' }

/**
 * Maximum size of an uploaded image, in bytes. Images between the avatar limit and this one get an error that
 * names the limit.
 */
export const MAX_AVATAR_UPLOAD = 4 * 1024 * 1024

/** Kind of the owner of an avatar. */
export type AvatarKind = 'project' | 'group' | 'user' | 'topic'

export interface AvatarOwner {
  kind: AvatarKind
  id: number
}

/** Avatar files of projects, groups, users and topics. */
export class Avatars {
  private readonly database: Database
  private readonly blobs: BlobStore

  constructor({ database, blobs }: { database: Database; blobs: BlobStore }) {
    this.database = database
    this.blobs = blobs
  }

  /** Throws `UnsuitableImageError` for an unsupported format or a file that is too large. */
  async check(image: GivenImage): Promise<void> {
    await imageExtension(image, LIMIT)
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
    const extension = await imageExtension(image, LIMIT)
    const key = `${kind}s/${id}/avatar/${randomBytes(16).toString('hex')}.${extension}`
    await this.blobs.write(key, image.open())
    return { key, name: imageName(image.filename, { extension, otherwise: 'avatar' }) }
  }

  /**
   * Content and media type of an avatar. Undefined if it was replaced or deleted in the meantime. Throws
   * `BlobMissingError` if it was lost.
   */
  async read(key: string): Promise<{ body: Readable; contentType: string } | undefined> {
    const body = await unlessDeleted(
      () => this.blobs.read(key),
      () => isAvatar(this.database, key),
    )
    return body && { body, contentType: imageType(key) }
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
const TABLES: Partial<Record<string, 'project' | 'namespace' | 'user_profile' | 'topic'>> = {
  projects: 'project',
  groups: 'namespace',
  users: 'user_profile',
  topics: 'topic',
}
