import { expect, test } from 'vitest'

import { openApiDocument } from '../../../src/coordinator/http/openapi/openapi.js'
import { kindOfSlug } from '../../../src/coordinator/integrations/services/kinds.js'
import { isRecord } from '../../../src/lib/is-record.js'
import { fullRoute, shapeOf } from '../../coordinator/api-rows/rows.js'
import { declaredOperations } from '../../coordinator/support/declared-operations.js'
import { EXTERNAL_URL } from '../../coordinator/support/test-app.js'
import { INTEGRATIONS, OPERATIONS } from './operations.js'
import { RECORDS } from './records.js'

/** What the service does not have, or has in another form, and why. */
const EXCEPTIONS: Record<string, string> = {
  'GET /runners/:id: no field token':
    'tokens of runners are kept as digests, and are shown once, when they are made',
  'PUT /runners/:id: no field token':
    'tokens of runners are kept as digests, and are shown once, when they are made',
}

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Described {
  summary: string
  parameters?: (Schema & { name: string; required?: boolean; schema: Schema })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Parameter {
  /** Its name, and the names of fields within. */
  keys: string[]
  isRequired: boolean
  /** The values that it takes; none = any. */
  values: string[]
}

interface DocumentedOperation {
  method: string
  /** `/projects/:id`. */
  path: string
  parameters: Parameter[]
  /** The name of a record, a list of them in brackets; `raw` and `-` for others. */
  result: string
}

const documented: DocumentedOperation[] = linesOf(OPERATIONS).map((line) => {
  const [route = '', parameters = '', result = ''] = line.split('|')
  const [method = '', path = ''] = fullRoute(route).split(' ')
  return { method, path, parameters: wordsOf(parameters).map(parameterOf), result: result.trim() }
})

const records = recordsOf(RECORDS)

/** The operations of every integration, with the parameters of its kind. */
const ofIntegrations = linesOf(INTEGRATIONS).map((line) => {
  const [slug = '', parameters = ''] = line.split('|')
  return { slug: slug.trim(), parameters: wordsOf(parameters).map(parameterOf) }
})

test('the documented API has 216 operations', () => {
  const general = documented.filter(({ path }) => !path.endsWith('/services/:slug'))
  expect(general.length + 3 * ofIntegrations.length).toBe(216)
})

test('every operation is served, with every parameter and every field of its record', async () => {
  const service = await ServedApi.open()
  const lacks = documented.flatMap((operation) => service.lacksOf(operation))
  const surprising = lacks.filter((lack) => !(lack in EXCEPTIONS))
  expect(surprising).toEqual([])
  expect(Object.keys(EXCEPTIONS).filter((known) => !lacks.includes(known))).toEqual([])
  expect(Object.values(EXCEPTIONS).filter((reason) => reason === '')).toEqual([])
})

test('every integration is known by its slug, and takes its parameters', async () => {
  const service = await ServedApi.open()
  const lacks = ofIntegrations.flatMap(({ slug, parameters }) => {
    const kind = kindOfSlug(slug)
    if (!kind) return [`${slug} is not known`]
    const flags = [...kind.events, 'active', 'commit_events', 'confidental_note_events']
    const known = new Set([...Object.keys(kind.properties), ...Object.keys(kind.renamed), ...flags])
    const put = { method: 'PUT', path: '/projects/:id/services/:slug', parameters, result: '-' }
    const required = parameters.filter(({ isRequired }) => isRequired).flatMap(({ keys }) => keys)
    return [
      ...parameters.flatMap(({ keys: [name = ''] }) => (known.has(name) ? [] : [`${slug}: no ${name}`])),
      ...service.lacksOf(put),
      ...Object.entries(kind.properties).flatMap(([name, { isRequired }]) =>
        isRequired && ![name, ...namesFor(kind.renamed, name)].some((each) => required.includes(each))
          ? [`${slug}: ${name} must be given`]
          : [],
      ),
    ]
  })
  expect(lacks).toEqual([])
})

function namesFor(renamed: Readonly<Record<string, string>>, name: string): string[] {
  return Object.keys(renamed).filter((other) => renamed[other] === name)
}

/** The OpenAPI document of the service. */
class ServedApi {
  private constructor(
    private readonly document: object,
    private readonly operations: Map<string, Described>,
  ) {}

  static async open(): Promise<ServedApi> {
    const document = openApiDocument(await declaredOperations(), EXTERNAL_URL)
    const { paths } = document as { paths: Record<string, Record<string, Described>> }
    const operations = new Map<string, Described>()
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        operations.set(routeKey(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`), operation)
      }
    }
    return new ServedApi(document, operations)
  }

  /** What the service lacks of an operation. */
  lacksOf({ method, path, parameters, result }: DocumentedOperation): string[] {
    const route = `${method} ${path}`
    // HEAD is served with GET, and described there.
    const isHead = method === 'HEAD'
    const served = this.operations.get(routeKey(isHead ? `GET ${path}` : route))
    if (!served || (isHead && !/HEAD/.test(served.summary))) return [`${route} is not served`]
    const lacks = [
      ...parameters.flatMap((parameter) => this.lackOfParameter(served, parameter)),
      ...this.excessOf(served, parameters),
      ...this.lacksOfResponse(served, result),
    ]
    return lacks.map((lack) => `${route}: ${lack}`)
  }

  private lackOfParameter(served: Described, { keys, values }: Parameter): string[] {
    const [name = '', ...inner] = keys
    const found = this.parameterOf(served, name)
    const schemas = found ? this.fieldsAt([found], inner) : []
    if (schemas.length === 0) return [`no parameter ${keys.join('.')}`]
    return values
      .filter((value) => !this.takes(schemas, value))
      .map((value) => `${keys.join('.')} takes no ${value}`)
  }

  /** Parameters that the service demands, although the document does not. */
  private excessOf(served: Described, parameters: Parameter[]): string[] {
    const known = new Set(
      parameters
        .filter(({ isRequired }) => isRequired)
        .flatMap(({ keys: [name = ''] }) => [name, `${name}[]`]),
    )
    const demanded = [
      ...(served.parameters ?? [])
        .map((each) => this.resolved(each) as typeof each)
        .filter((each) => each.required),
      ...[...this.bodies(served)].flatMap(({ required = [] }) => required.map((name) => ({ name }))),
    ].map(({ name }) => name)
    return [...new Set(demanded)]
      .filter((name) => !known.has(name) && !this.isInPath(served, name))
      .map((name) => `${name} must be given`)
  }

  private isInPath(served: Described, name: string): boolean {
    return (served.parameters ?? []).some((each) => {
      const parameter = this.resolved(each) as { name?: string; in?: string }
      return parameter.name === name && parameter.in === 'path'
    })
  }

  private parameterOf(served: Described, name: string): Schema | undefined {
    for (const each of served.parameters ?? []) {
      const parameter = this.resolved(each) as { name?: string; schema?: Schema }
      if (parameter.name === name || parameter.name === `${name}[]`) return parameter.schema
    }
    for (const body of this.bodies(served)) {
      const field = body.properties?.[name]
      if (field) return field
    }
    return undefined
  }

  private *bodies({ requestBody }: Described): Generator<Schema> {
    for (const { schema } of Object.values(requestBody?.content ?? {})) yield this.resolved(schema)
  }

  private lacksOfResponse({ responses }: Described, result: string): string[] {
    if (result === '-' || result === 'raw') return []
    const [, list, name] = /^(\[?)(\w+)\]?$/.exec(result) ?? []
    const schemas = Object.entries(responses).flatMap(([status, { content }]) =>
      status.startsWith('2') ? (content?.['application/json']?.schema ?? []) : [],
    )
    if (schemas.length === 0) return ['no record is described']
    const schema: Schema = { anyOf: schemas }
    const isList = this.variantsOf(schema).some(({ items }) => items !== undefined)
    if (isList !== (list === '[')) return [isList ? 'a list is described' : 'no list is described']
    const lacks = fieldsOf(name ?? '').flatMap((path) => this.lackOfField(schema, path.split('.')))
    return [...new Set(lacks)]
  }

  private lackOfField(schema: Schema, keys: string[]): string[] {
    if (this.fieldsAt([schema], keys).length > 0) return []
    const above = keys.slice(
      0,
      keys.findIndex((_, end) => this.fieldsAt([schema], keys.slice(0, end + 1)).length === 0),
    )
    const parents = this.fieldsAt([schema], above)
      .flatMap((parent) => this.variantsOf(parent))
      .flatMap((parent) => this.entriesOf(parent))
    const isDescribed = parents.some(({ properties }) => properties !== undefined)
    return [
      isDescribed
        ? `no field ${keys.slice(0, above.length + 1).join('.')}`
        : `${above.join('.') || 'the record'} is not described`,
    ]
  }

  /** The schemas of a field, through lists and variants. */
  private fieldsAt(schemas: Schema[], keys: string[]): Schema[] {
    const [key, ...rest] = keys
    const variants = schemas
      .flatMap((schema) => this.variantsOf(schema))
      .flatMap((schema) => this.entriesOf(schema))
    if (key === undefined) return schemas
    const found = variants.flatMap((schema) => this.fieldOf(schema, key))
    return found.length === 0 ? [] : this.fieldsAt(found, rest)
  }

  private fieldOf({ properties, patternProperties, additionalProperties }: Schema, key: string): Schema[] {
    const field = properties?.[key]
    if (field) return [field]
    const others = Object.values(patternProperties ?? {})
    return isRecord(additionalProperties) ? [...others, additionalProperties] : others
  }

  /** The entries of a list, or the schema itself. */
  private entriesOf(schema: Schema): Schema[] {
    return schema.items ? this.variantsOf(schema.items).flatMap((items) => this.entriesOf(items)) : [schema]
  }

  private variantsOf(schema: Schema): Schema[] {
    const plain = this.resolved(schema)
    const variants = plain.anyOf ?? plain.oneOf ?? plain.allOf
    return variants ? variants.flatMap((variant) => this.variantsOf(variant)) : [plain]
  }

  /** Whether a text is one of the values that the schemas allow. */
  private takes(schemas: Schema[], value: string): boolean {
    const variants = schemas
      .flatMap((schema) => this.variantsOf(schema))
      .flatMap((schema) => this.entriesOf(schema))
    return variants.some(({ enum: words, const: only, type }) => {
      if (words) return words.includes(value)
      return only === undefined ? [type].flat().includes('string') : only === value
    })
  }

  private resolved(part: Schema): Schema {
    if (part.$ref === undefined) return part
    const { $ref, ...rest } = part
    const found = $ref
      .split('/')
      .slice(1)
      .reduce((inner: unknown, key) => (isRecord(inner) ? inner[key] : undefined), this.document)
    if (!isRecord(found)) throw new Error(`${$ref} leads nowhere`)
    return this.resolved({ ...found, ...rest })
  }
}

/** The route without the names of its parameters. The OpenAPI document has no `*`. */
function routeKey(route: string): string {
  return shapeOf(route).replace('*', ':')
}

/** The fields of a record, with those of the records that it contains. */
function fieldsOf(name: string): string[] {
  const fields = records.get(name)
  if (!fields) throw new Error(`The record ${name} has no fields`)
  return fields.flatMap((field) => {
    const [path = '', inner] = field.split(':')
    return inner === undefined ? [path] : fieldsOf(inner).map((each) => `${path}.${each}`)
  })
}

/** A record begins at a line with a `|`, and goes on in the lines below. */
function recordsOf(table: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let fields: string[] = []
  for (const line of linesOf(table)) {
    const [first = '', rest] = line.split('|')
    if (rest !== undefined) found.set(first.trim(), (fields = []))
    fields.push(...wordsOf(rest ?? first))
  }
  return found
}

function parameterOf(word: string): Parameter {
  const [name = '', values = ''] = word.split('=')
  return {
    keys: name.replace('!', '').split('.'),
    isRequired: name.includes('!'),
    values: values === '' ? [] : values.split(','),
  }
}

function linesOf(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
