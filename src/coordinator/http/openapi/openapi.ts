import type { TSchema } from 'typebox'

import { CREDENTIALS } from '../../../error-catalogue/api/credentials.js'
import { REQUESTS } from '../../../error-catalogue/api/requests.js'
import { VERSION } from '../../../lib/version.js'
import type { Operation } from '../operation.js'
import { sentencesOf } from '../parameters/combinations.js'
import type { JsonSchema } from '../parameters/json-schema.js'
import { fileLimits } from '../parameters/with-files.js'
import { exampleOf } from './example.js'
import { operationIds, pascalCase, recordNameOf, tagOf } from './openapi-names.js'
import { type Parameter, shareParameters } from './share-parameters.js'
import { SharedSchemas } from './shared-schemas.js'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document, generated from the declarations that also define the routes. */
export function openApiDocument(operations: Operation[], serverUrl: string): Json {
  const paths: Record<string, Json> = {}
  const ids = operationIds(operations)
  const shared = sharedSchemas(ids)
  const described = [...ids].map(([operation, id]) => [operation, describe(operation, id, shared)] as const)
  const parameters = shareParameters(new Map(described))
  for (const [{ path, method }, written] of parameters.operations) {
    const template = templateOf(path)
    paths[template] = { ...paths[template], [method.toLowerCase()]: written }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Switchyard', version: VERSION },
    servers: [{ url: serverUrl }],
    tags: [...new Set(operations.map(({ path }) => tagOf(path)))].toSorted().map((name) => ({ name })),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: shared.components(),
      parameters: parameters.components,
      responses: REFUSALS,
    },
    paths,
  }
}

/** Clients read `message` and `error`; either may be a text, a list, or texts by the name of a field (API, A4). */
const ERROR = {
  type: 'object',
  description: 'The problem, in one of the two keys: a text, or texts by field.',
  properties: {
    message: { description: 'The refused action and the reason.' },
    error: { description: 'The problem of the request itself.' },
  },
}

const REFUSALS = {
  BadRequest: refusalWith(400, 'A parameter is missing or invalid'),
  Unauthorized: refusalWith(401, 'The credential is missing or invalid'),
  Forbidden: refusalWith(403, 'The caller has no permission, or the token lacks the scope'),
  NotFound: refusalWith(404, 'The resource does not exist, or is hidden from the caller'),
  PreconditionFailed: refusalWith(412, 'The resource is newer than `If-Unmodified-Since`'),
  BodyTooLarge: refusalWith(413, 'The body is too large'),
  UnsupportedMediaType: refusalWith(415, 'The type of the body is not supported'),
  TooManyRequests: refusalWith(429, 'Too many requests: `Retry-After` contains the delay'),
}

/** Its codes are those of every operation. Others depend on what an operation does, which it does not declare. */
function refusalWith(status: number, description: string): Json {
  const codes = Object.entries({ ...REQUESTS, ...CREDENTIALS }).filter(([, entry]) => entry.status === status)
  const schema = { type: 'string', examples: codes.map(([code]) => code) }
  return {
    description,
    headers: { 'X-Error-Code': { description: 'Code of the error in the catalogue of errors.', schema } },
    // Clients receive plain text from a limit on all operations together.
    ...(status !== 429 && {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    }),
  }
}

const SECURITY_SCHEMES = {
  personal_access_token: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
  bearer: { type: 'http', scheme: 'bearer' },
  job_token: { type: 'apiKey', in: 'header', name: 'JOB-TOKEN' },
}

function sharedSchemas(ids: ReadonlyMap<Operation, string>): SharedSchemas {
  const shared = new SharedSchemas()
  shared.write('Error', ERROR)
  for (const [{ responses }, id] of ids) {
    for (const schema of Object.values(responses)) shared.record(schema, recordNameOf(id))
  }
  shared.finalize()
  return shared
}

function describe(operation: Operation, operationId: string, shared: SharedSchemas) {
  const { properties, inPath } = parametersOf(operation)
  const required = new Set((operation.params as JsonSchema | undefined)?.required)
  const others = Object.entries(properties).filter(([name]) => !inPath.includes(name))
  const parameters = inPath.map((name) =>
    parameter('path', name, properties[name] ?? pathSchema(operation.path), true),
  )
  if (hasNoBody(operation)) {
    parameters.push(...others.map(([name, schema]) => parameter('query', name, schema, required.has(name))))
  }
  return {
    operationId,
    summary: operation.summary,
    ...descriptionOfRules(operation),
    tags: [tagOf(operation.path)],
    security: securityOf(operation),
    parameters,
    ...(hasNoBody(operation) || others.length === 0
      ? {}
      : { requestBody: requestBody(operation, operationId, { properties: others, required, shared }) }),
    responses: responsesOf(operation, shared),
  }
}

/** Describes rules that the schemas of single parameters cannot express. */
function descriptionOfRules(operation: Operation): Json {
  const sentences = [...sentencesOf(operation), ...(operation.needsConfirmation ? [CONFIRMATION] : [])]
  return sentences.length === 0 ? {} : { description: sentences.join(' ') }
}

const CONFIRMATION =
  'A browser session must have been confirmed in the last 30 minutes, else the response is 403 `confirmation_required`.'

function parametersOf(operation: Operation): { properties: Record<string, JsonSchema>; inPath: string[] } {
  const declared = (operation.params as JsonSchema | undefined)?.properties ?? {}
  const paging: Record<string, JsonSchema> = operation.paginated ? PAGING : {}
  const credentials = hasNoBody(operation) ? credentialParameters(operation) : {}
  const inPath = [...operation.path.matchAll(/[:*](\w+)/g)].map((match) => match[1] ?? '')
  return { properties: { ...credentials, ...declared, ...paging }, inPath }
}

/** The parameters of every operation with this kind of access, in addition to the declared ones. */
function credentialParameters({ access, jobToken }: Operation): Record<string, JsonSchema> {
  return { ...(jobToken && { job_token: JOB_TOKEN }), ...(access === 'user' && { sudo: SUDO }) }
}

const JOB_TOKEN: JsonSchema = {
  type: 'string',
  description: 'Token of a CI/CD job, instead of the header `JOB-TOKEN`.',
}

const SUDO: JsonSchema = {
  type: 'string',
  description: 'ID or user name of the user to act as. Only for administrators, with the scope `sudo`.',
}

const PAGING: Record<string, JsonSchema> = {
  page: { type: 'integer', minimum: 1, default: 1, description: 'Which page of the list.' },
  per_page: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'Entries of a page; more than 100 are 100.',
  },
}

function hasNoBody({ method, body }: Operation): boolean {
  return method === 'GET' || method === 'DELETE' || body === 'stream'
}

function parameter(place: 'path' | 'query', name: string, schema: JsonSchema, required: boolean): Parameter {
  const isList = schema.type === 'array'
  const { description, ...plain } = schema
  return {
    name: isList ? `${name}[]` : name,
    in: place,
    required,
    ...(description && { description }),
    ...exampleOfParameter(schema),
    schema: plain,
  }
}

/** A value that is valid by declaration: the default, or the first allowed value. */
function exampleOfParameter(schema: JsonSchema): Json {
  const inner = schema.type === 'array' ? (schema.items ?? schema) : schema
  const allowed = [inner.enum?.[0], inner.const, ...(inner.anyOf ?? []).map((each) => each.const)]
  const example = schema.default ?? allowed.find((value) => value !== undefined && value !== null)
  if (example === undefined) return {}
  return { example: schema.type === 'array' && !Array.isArray(example) ? [example] : example }
}

interface BodyFields {
  properties: [string, JsonSchema][]
  required: Set<string>
  shared: SharedSchemas
}

function requestBody(
  { params }: Operation,
  operationId: string,
  { properties, required, shared }: BodyFields,
): Json {
  const object = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name).filter((name) => required.has(name)),
  }
  if (fileLimits(params).size > 0) return { content: { 'multipart/form-data': { schema: object } } }
  const schema = shared.write(`${pascalCase(operationId)}Body`, object)
  return {
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  }
}

function responsesOf(operation: Operation, shared: SharedSchemas): Json {
  const { responses } = operation
  const successes = Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => [
      status,
      { description: descriptionOf(schema), ...contentOf(schema, shared) },
    ]),
  )
  return { ...refusalsOf(operation), ...successes }
}

function refusalsOf(operation: Operation): Json {
  const { params, access, path, modifiedAt } = operation
  const hasBody = !hasNoBody(operation)
  return {
    ...(params && { 400: refusal('BadRequest') }),
    401: refusal('Unauthorized'),
    ...(access !== 'anyone' && { 403: refusal('Forbidden') }),
    ...(/[:*]/.test(path) && { 404: refusal('NotFound') }),
    ...(modifiedAt && { 412: refusal('PreconditionFailed') }),
    ...(hasBody && { 413: refusal('BodyTooLarge'), 415: refusal('UnsupportedMediaType') }),
    429: refusal('TooManyRequests'),
  }
}

function refusal(name: keyof typeof REFUSALS): Json {
  return { $ref: `#/components/responses/${name}` }
}

/** `:id` is resolved before the operation runs, so no declaration contains it. */
function pathSchema(path: string): JsonSchema {
  const of = path.startsWith('/groups/') ? 'group' : 'project'
  return { type: 'string', description: `Number of the ${of}, or its full path with \`/\` as \`%2F\`.` }
}

function descriptionOf(schema: TSchema): string {
  return (schema as { description?: string }).description ?? 'Success'
}

function contentOf(schema: TSchema, shared: SharedSchemas): Json {
  if ((schema as JsonSchema).type === 'null') return {}
  const example = shared.isElsewhere(schema) ? undefined : exampleOf(schema)
  const written = { schema: shared.referring(schema), ...(isShown(example) && { example }) }
  return { content: { 'application/json': written } }
}

/** An empty example is not shown. */
function isShown(example: unknown): boolean {
  return typeof example === 'object' && example !== null && Object.keys(example).length > 0
}

function securityOf({ access, jobToken }: Operation): Json[] {
  const schemes: Json[] = [{ personal_access_token: [] }, { bearer: [] }]
  if (jobToken) schemes.push({ job_token: [] })
  return access === 'anyone' ? [{}, ...schemes] : schemes
}

function templateOf(path: string): string {
  return path.replace(/[:*](\w+)/g, '{$1}')
}
