import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'

import { isFile, type JsonSchema, nullableInner } from './json-schema.js'
import { readMultipartForm } from './multipart-form.js'
import type { UploadSpool } from './upload-spool.js'

/** Runs `use` while the uploaded files of a request exist; the body contains them and the other fields. */
export type WithFiles = <T>(request: FastifyRequest, use: () => Promise<T>) => Promise<T>

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

/** For an operation without files, this only calls `use`. */
export function filesOf(params: TObject | undefined, spool: UploadSpool): WithFiles {
  const files = fileLimits(params)
  if (files.size === 0) return (_request, use) => use()

  return async (request, use) => {
    if (!isMultipart(request)) return use()
    const { bodyLimit } = request.routeOptions
    const form = await readMultipartForm(request.raw, { maxFieldBytes: bodyLimit, files, spool })
    try {
      request.body = form.values
      return await use()
    } finally {
      await form.discard()
    }
  }
}

/** An empty body is not multipart, whatever its content type. */
export function isMultipart({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== '0' && /^multipart\/form-data/i.test(headers['content-type'] ?? '')
}
