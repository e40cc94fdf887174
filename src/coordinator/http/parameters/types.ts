import type { Readable } from 'node:stream'

import { type TSchema, Type } from 'typebox'

import type { SpooledFile } from './upload-spool.js'

/** Common types of parameters and records, beside the basic ones. */

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

export const NullableText = Nullable(Type.String())

/** One of a few words. */
export function OneOf<const Words extends readonly string[]>(...words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words })
}

/** ISO 8601; UTC with milliseconds on the way out, and in the parameters that `run` receives. */
export function DateTime() {
  return Type.String({ format: 'date-time' })
}

/** `YYYY-MM-DD`. */
export function DateOnly() {
  return Type.String({ format: 'date' })
}

/**
 * An uploaded file of a request. It is deleted after `run` has ended, so code that needs the bytes later must
 * copy them.
 */
export class UploadedFile {
  constructor(
    /** Without folders; as the client named it, so not to be trusted with a path. */
    readonly filename: string,
    /** As the client sent it. */
    readonly contentType: string,
    private readonly spooled: SpooledFile,
  ) {}

  /** Bytes. */
  get size(): number {
    return this.spooled.size
  }

  /** Opens the bytes from the start; may be called repeatedly. */
  open(): Readable {
    return this.spooled.open()
  }

  remove(): Promise<void> {
    return this.spooled.remove()
  }
}

/**
 * A file parameter, which only a multipart body can carry; more than `maxBytes` yield 413 (API, A5). If it is
 * `Nullable`, the empty text becomes null, as clients send it to delete an avatar. Only allowed as a
 * top-level parameter.
 */
export function FileParameter(options: { maxBytes: number; description?: string }) {
  return Type.Unsafe<UploadedFile>({ type: 'string', format: 'binary', ...options })
}

export const Visibility = OneOf('private', 'internal', 'public')
export const SortDirection = OneOf('asc', 'desc')
