import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { BlobStore } from '../../ci/storage/blob-store.js'
import { UnsuitableImageError } from '../../ci/storage/errors.js'
import { safeFileName } from '../../ci/storage/safe-file-name.js'
import { sniffType } from '../../ci/storage/sniff-type.js'

/** A picture that came with a request. */
export interface GivenImage {
  filename: string
  /** Bytes. */
  size: number
  /** From the start; may be called again. */
  open(): Readable
}

export interface StoredAvatar {
  /** Last part of its address; its extension is that of what the bytes are. */
  name: string
  /** Of the blob: `<folder>/avatar/<32 hex digits>.<extension>`. */
  key: string
}

const MAX_BYTES = 200 * 1024

/** Bytes of a picture that a request may bring; what is too large for an avatar is told in a sentence below that. */
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

/** Whose picture it is. */
export type AvatarKind = 'project' | 'group' | 'user'

export interface AvatarOwner {
  kind: AvatarKind
  id: number
}

/** AvatarFiles of projects, groups and users. */
export class Avatars {
  constructor(private readonly blobs: BlobStore) {}

  /** Throws `UnsuitableImageError` for what is no picture, or too large. */
  async check(image: GivenImage): Promise<void> {
    await extensionOf(image)
  }

  /**
   * Gives `owner` the picture in place of the one it has, or takes that away. `note` writes it down; it throws when the
   * owner has gone, and then the new picture goes too. Throws `UnsuitableImageError`.
   */
  async replace<T>(
    { key, ...owner }: AvatarOwner & { key: string | null },
    image: GivenImage | null,
    note: (avatar: StoredAvatar | null) => Promise<T>,
  ): Promise<T> {
    const stored = image && (await this.save(owner, image))
    const noted = await this.recordOrDiscard(stored, note)
    if (key !== null) await this.blobs.delete(key)
    return noted
  }

  private async recordOrDiscard<T>(
    stored: StoredAvatar | null,
    note: (avatar: StoredAvatar | null) => Promise<T>,
  ): Promise<T> {
    try {
      return await note(stored)
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

  /** The bytes and what they are. Throws `BlobMissingError`. */
  async read(key: string): Promise<{ body: Readable; contentType: string }> {
    const extension = key.slice(key.lastIndexOf('.') + 1)
    const contentType = TYPES[extension] ?? 'application/octet-stream'
    return { body: await this.blobs.read(key), contentType }
  }

  /** Deletes every picture of an owner that goes. */
  deleteOf({ kind, id }: AvatarOwner): Promise<void> {
    return this.blobs.deleteBelow(`${kind}s/${id}/avatar`)
  }
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
