import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import { Busboy } from '@fastify/busboy'

import { deferred } from '../../../lib/deferred.js'
import { ApiError, invalidParameters } from '../errors.js'
import { foldForm } from './fold-form.js'
import { isOneLine } from './one-line.js'
import { UploadedFile } from './types.js'
import { tooLarge, type UploadSpool } from './upload-spool.js'

const MAXIMUM_FIELDS = 1000

export interface FormRules {
  /** Of all fields together, names and boundaries included. */
  maxFieldBytes: number
  /** Parameters that take a file, with the bytes that each may have. Files under other names are read over. */
  files: ReadonlyMap<string, number>
  spool: UploadSpool
}

/** A multipart body as parameters; its files are there until `discard`. */
export interface MultipartForm {
  values: Record<string, unknown>
  discard(): Promise<void>
}

/**
 * Reads a multipart body: fields as in every form, files into the spool. Throws 400 for a body that is none and 413 for
 * one that is too long; then no file is left, and the rest of the request is read over, for a client that is still
 * sending would otherwise not see the answer.
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

/** What has arrived so far. */
class Parts {
  private readonly fields: [string, string][] = []
  private readonly files = new Map<string, Promise<UploadedFile>>()
  private readonly bodies: Readable[] = []
  private readonly saved: UploadedFile[] = []
  private fieldBytes = 0

  constructor(private readonly rules: FormRules) {}

  /** False when the fields have become too long. A part may have no name, whatever its types say. */
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
    body.on('error', () => undefined) // told by whoever reads it, and there may be nobody
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
      discard: () => this.removeFiles(),
    }
  }

  /** Breaks off what is still being saved. */
  async discard(cause: Error): Promise<void> {
    for (const body of this.bodies) body.destroy(cause)
    await Promise.allSettled(this.files.values())
    await this.removeFiles()
  }

  private async removeFiles(): Promise<void> {
    await Promise.all(this.saved.map((file) => file.remove()))
  }
}

/** A page sends a field for files that nothing was chosen for as a file without name and bytes. */
function valueOf(file: UploadedFile): UploadedFile | '' {
  return file.filename === '' && file.size === 0 ? '' : file
}

function createParser(request: IncomingMessage, { maxFieldBytes }: FormRules) {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: { fieldSize: maxFieldBytes, fields: MAXIMUM_FIELDS, fieldNameSize: 1000 },
    })
  } catch (error) {
    request.resume()
    throw malformed(error)
  }
}

/** Also what is read over counts: nobody sends us bytes without end. */
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
  return new ApiError(400, { error: 'message body does not match declared format' }, {}, { cause })
}
