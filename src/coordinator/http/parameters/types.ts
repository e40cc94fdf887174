import type { Readable } from 'node:stream'

import { type TSchema, Type } from 'typebox'

import type { SpooledFile } from './upload-spool.js'

/** The few shapes that parameters and records are made of beside the basic ones. */

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

/** A file that came with a request. It is gone when `run` has ended: whoever keeps its bytes copies them. */
export class UploadedFile {
  constructor(
    /** Without folders; as the client named it, so not to be trusted with a path. */
    readonly filename: string,
    /** As the client named it. */
    readonly contentType: string,
    private readonly spooled: SpooledFile,
  ) {}

  /** Bytes. */
  get size(): number {
    return this.spooled.size
  }

  /** Its bytes, from the start; may be called again. */
  open(): Readable {
    return this.spooled.open()
  }

  remove(): Promise<void> {
    return this.spooled.remove()
  }
}

/**
 * A file, which only a multipart body can carry; more than `maxBytes` are 413 (API, A5). Where it is `Nullable` the
 * empty text is null, as clients send it to remove a picture. A parameter of an operation itself, never inside another.
 */
export function FileParameter(options: { maxBytes: number; description?: string }) {
  return Type.Unsafe<UploadedFile>({ type: 'string', format: 'binary', ...options })
}

export const Visibility = OneOf('private', 'internal', 'public')
export const SortDirection = OneOf('asc', 'desc')
