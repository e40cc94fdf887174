import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'

import { isFile, type JsonSchema, nullableInner } from './json-schema.js'
import { type MultipartForm, readMultipartForm } from './multipart-form.js'
import type { UploadSpool } from './upload-spool.js'

/** Puts the files and the other fields of a multipart body into the body. The files exist until the form is discarded. */
export type TakeForm = (request: FastifyRequest) => Promise<MultipartForm | undefined>

/** The parameters that take a file, with the maximum bytes of each. */
export function fileLimits(params: TObject | undefined): Map<string, number> {
  const properties = Object.entries((params as JsonSchema | undefined)?.properties ?? {})
  return new Map(
    properties
      .map(([name, schema]) => [name, nullableInner(schema) ?? schema] as const)
      .filter(([, schema]) => isFile(schema))
      .map(([name, { maxBytes }]) => [name, maxBytes ?? 0]),
  )
}

/** There is no form if the operation has no files, or if the body has another type. */
export function formTaker(params: TObject | undefined, spool: UploadSpool): TakeForm {
  const files = fileLimits(params)
  return async (request) => {
    if (files.size === 0 || !isMultipart(request)) return undefined
    const { bodyLimit } = request.routeOptions
    const form = await readMultipartForm(request.raw, { maxFieldBytes: bodyLimit, files, spool })
    request.body = form.values
    return form
  }
}

/** An empty body is not multipart, whatever its content type. */
export function isMultipart({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== '0' && /^multipart\/form-data/i.test(headers['content-type'] ?? '')
}
