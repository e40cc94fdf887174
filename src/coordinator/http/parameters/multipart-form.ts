import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import { Busboy } from '@fastify/busboy'

import { deferred } from '../../../lib/deferred.js'
import { type ApiError, apiError, invalidParameters } from '../errors.js'
import { foldForm } from './fold-form.js'
import { isOneLine } from './one-line.js'
import { UploadedFile } from './types.js'
import { tooLarge, type UploadSpool } from './upload-spool.js'

const MAX_FIELDS = 1000

export interface FormRules {
  /** Limit for all fields together, including names and boundaries. */
  maxFieldBytes: number
  /** Parameters that take a file, with the maximum bytes of each. Files with other names are discarded. */
  files: ReadonlyMap<string, number>
  spool: UploadSpool
}

/** The parameters in a multipart body; its files exist until `discard`. */
export interface MultipartForm {
  values: Record<string, unknown>
  discard(): Promise<void>
}

/**
 * Reads a multipart body: fields like any form, files into the spool. Throws 400 for an invalid body and 413
 * for one that is too large, and then deletes the files. After an error the rest of the request is discarded,
 * because a client that is still sending would not read the response otherwise.
 */
export async function readMultipartForm(request: IncomingMessage, rules: FormRules): Promise<MultipartForm> {
  const parts = new Parts(rules)
  const parser = createParser(request, rules)
  const finished = deferred()
  const count = byteCounter(rules, finished.reject)

  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut || !parts.addField(name, value)) finished.reject(tooLarge())
  })
  parser.on('fieldsLimit', () => finished.reject(tooLarge()))
  parser.on('file', (name, body, filename, _encoding, contentType) => {
    parts.addFile(name, body, { filename, contentType }).catch(finished.reject)
  })
  parser.on('finish', () => finished.resolve())
  parser.on('error', (error) => finished.reject(malformed(error)))
  request.on('data', count)
  request.once('error', finished.reject)
  request.once('close', () => {
    if (!request.complete) finished.reject(malformed(new Error('The client broke the body off')))
  })
  request.pipe(parser)

  try {
    await finished.promise
    return await parts.toForm()
  } catch (error) {
    await parts.discard(error instanceof Error ? error : malformed(error))
    throw error
  } finally {
    request.off('data', count)
    request.unpipe(parser)
    request.resume()
  }
}

/** The parts received so far. */
class Parts {
  private readonly fields: [string, string][] = []
  private readonly files = new Map<string, Promise<UploadedFile>>()
  private readonly bodies: Readable[] = []
  private readonly saved: UploadedFile[] = []
  private fieldBytes = 0

  constructor(private readonly rules: FormRules) {}

  /** False if the fields are too long in total. A part may have no name, although the types exclude this. */
  addField(name: string | undefined = '', value: string): boolean {
    this.fieldBytes += name.length + value.length
    this.fields.push([name, value])
    return this.fieldBytes <= this.rules.maxFieldBytes
  }

  /** Ends with the last byte of the file. */
  async addFile(
    name: string | undefined = '',
    body: Readable,
    { filename, contentType }: { filename?: string; contentType: string },
  ): Promise<void> {
    const maxBytes = this.rules.files.get(name)
    body.on('error', () => undefined) // the reader of the stream reports errors, and there may be no reader
    if (maxBytes !== undefined && !isOneLine(filename ?? '')) {
      body.resume()
      throw invalidParameters(`${name} has a file name with control characters`)
    }
    if (maxBytes === undefined || this.files.has(name)) {
      body.resume()
      return
    }
    this.bodies.push(body)
    const saving = this.rules.spool.save(body, maxBytes).then((spooled) => {
      const file = new UploadedFile(filename ?? '', contentType, spooled)
      this.saved.push(file)
      return file
    })
    this.files.set(name, saving)
    await saving
  }

  async toForm(): Promise<MultipartForm> {
    const files = await Promise.all(
      [...this.files].map(async ([name, saving]) => [name, valueOf(await saving)] as const),
    )
    return {
      values: { ...foldForm(this.fields), ...Object.fromEntries(files) },
      discard: () => this.deleteFiles(),
    }
  }

  /** Aborts files that are still being saved. */
  async discard(cause: Error): Promise<void> {
    for (const body of this.bodies) body.destroy(cause)
    await Promise.allSettled(this.files.values())
    await this.deleteFiles()
  }

  private async deleteFiles(): Promise<void> {
    await Promise.all(this.saved.map((file) => file.remove()))
  }
}

/** Browsers send an empty file input as a file without name and bytes. */
function valueOf(file: UploadedFile): UploadedFile | '' {
  return file.filename === '' && file.size === 0 ? '' : file
}

function createParser(request: IncomingMessage, { maxFieldBytes }: FormRules) {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: { fieldSize: maxFieldBytes, fields: MAX_FIELDS, fieldNameSize: 1000 },
    })
  } catch (error) {
    request.resume()
    throw malformed(error)
  }
}

/** Discarded bytes count too, so the total is always limited. */
function byteCounter(
  { maxFieldBytes, files }: FormRules,
  fail: (error: Error) => void,
): (chunk: Buffer) => void {
  const most = [...files.values()].reduce((sum, bytes) => sum + bytes, maxFieldBytes)
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    if (bytes > most) fail(tooLarge())
  }
}

function malformed(cause: unknown): ApiError {
  return apiError('malformed_body', {}, { cause })
}
