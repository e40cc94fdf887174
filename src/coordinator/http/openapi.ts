import type { TSchema } from 'typebox'

import type { Operation } from './operation.js'
import type { JsonSchema } from './parameters/json-schema.js'
import { fileLimits } from './parameters/with-files.js'
import { VERSION } from './version.js'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document, generated from the same declarations that the routes are made of. */
export function openApiDocument(operations: Operation[], serverUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = templateOf(operation.path)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Switchyard', version: VERSION },
    servers: [{ url: serverUrl }],
    components: { securitySchemes: SECURITY_SCHEMES },
    paths,
  }
}

const SECURITY_SCHEMES = {
  personal_access_token: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
  bearer: { type: 'http', scheme: 'bearer' },
  job_token: { type: 'apiKey', in: 'header', name: 'JOB-TOKEN' },
}

function describe(operation: Operation): Json {
  const { properties, inPath } = parametersOf(operation)
  const required = new Set((operation.params as JsonSchema | undefined)?.required)
  const others = Object.entries(properties).filter(([name]) => !inPath.includes(name))
  const parameters = inPath.map((name) =>
    parameter('path', name, properties[name] ?? { type: 'string' }, true),
  )
  if (hasNoBody(operation)) {
    parameters.push(...others.map(([name, schema]) => parameter('query', name, schema, required.has(name))))
  }
  return {
    operationId: operationId(operation),
    summary: operation.summary,
    security: securityOf(operation),
    parameters,
    ...(hasNoBody(operation) || others.length === 0
      ? {}
      : { requestBody: requestBody(operation, others, required) }),
    responses: responsesOf(operation),
  }
}

function parametersOf(operation: Operation): { properties: Record<string, JsonSchema>; inPath: string[] } {
  const declared = (operation.params as JsonSchema | undefined)?.properties ?? {}
  const paging: Record<string, JsonSchema> = operation.paginated ? PAGING : {}
  const inPath = [...operation.path.matchAll(/[:*](\w+)/g)].map((match) => match[1] ?? '')
  return { properties: { ...declared, ...paging }, inPath }
}

const PAGING: Record<string, JsonSchema> = {
  page: { type: 'integer', minimum: 1, default: 1 },
  per_page: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
}

function hasNoBody({ method, body }: Operation): boolean {
  return method === 'GET' || method === 'DELETE' || body === 'stream'
}

function parameter(place: 'path' | 'query', name: string, schema: JsonSchema, required: boolean): Json {
  const isList = schema.type === 'array'
  return { name: isList ? `${name}[]` : name, in: place, required, schema }
}

function requestBody({ params }: Operation, properties: [string, JsonSchema][], required: Set<string>): Json {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name).filter((name) => required.has(name)),
  }
  if (fileLimits(params).size > 0) return { content: { 'multipart/form-data': { schema } } }
  return {
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  }
}

function responsesOf({ answers }: Operation): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      { description: descriptionOf(schema), ...contentOf(schema) },
    ]),
  )
}

function descriptionOf(schema: TSchema): string {
  return (schema as { description?: string }).description ?? 'Success'
}

function contentOf(schema: TSchema): Json {
  return (schema as JsonSchema).type === 'null' ? {} : { content: { 'application/json': { schema } } }
}

function securityOf({ access, jobToken }: Operation): Json[] {
  const schemes: Json[] = [{ personal_access_token: [] }, { bearer: [] }]
  if (jobToken) schemes.push({ job_token: [] })
  return access === 'anyone' ? [{}, ...schemes] : schemes
}

function operationId({ method, path }: Operation): string {
  return `${method.toLowerCase()}${path.replace(/[/:*]+/g, '_')}`
}

function templateOf(path: string): string {
  return path.replace(/[:*](\w+)/g, '{$1}')
}
