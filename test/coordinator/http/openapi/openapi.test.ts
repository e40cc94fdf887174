import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'

import { exampleOf } from '../../../../src/coordinator/http/openapi/example.js'
import { openApiDocument } from '../../../../src/coordinator/http/openapi/openapi.js'
import { SharedSchemas } from '../../../../src/coordinator/http/openapi/shared-schemas.js'
import { isRecord } from '../../../../src/lib/is-record.js'
import { openSqlite } from '../../../support/databases.js'
import { declaredOperations } from '../../support/declared-operations.js'
import { EXTERNAL_URL, openApp } from '../../support/test-app.js'

interface Described {
  description?: string
  type?: string
  properties?: Record<string, Described>
  items?: Described
  anyOf?: Described[]
  examples?: unknown[]
}

interface DescribedOperation {
  operationId: string
  description?: string
  tags: string[]
  parameters: { name: string; description?: string }[]
  requestBody?: { content: Record<string, { schema: Described }> }
  responses: Record<string, { content?: Record<string, { schema: Described; example?: unknown }> }>
}

let described: Promise<[string, DescribedOperation][]> | undefined

/** Described once for all tests, which only read them. */
function describedOperations(): Promise<[string, DescribedOperation][]> {
  return (described ??= describeOperations())
}

async function describeOperations(): Promise<[string, DescribedOperation][]> {
  const document = openApiDocument(await declaredOperations(), EXTERNAL_URL)
  const { paths } = withoutReferences(document, document) as {
    paths: Record<string, Record<string, DescribedOperation>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, DescribedOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
}

/** The same document with its references resolved. */
function withoutReferences(part: unknown, document: object): unknown {
  if (Array.isArray(part)) return part.map((each) => withoutReferences(each, document))
  if (!isRecord(part)) return part
  const { $ref, ...rest } = part
  if (typeof $ref === 'string') {
    return { ...(withoutReferences(referredTo(document, $ref), document) as object), ...rest }
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withoutReferences(value, document)]),
  )
}

function referredTo(document: object, reference: string): unknown {
  const found = reference
    .split('/')
    .slice(1)
    .reduce((part: unknown, key) => (isRecord(part) ? part[key] : undefined), document)
  if (found === undefined) throw new Error(`${reference} leads nowhere`)
  return found
}

test('the document is valid OpenAPI 3.1', async () => {
  const document = openApiDocument(await declaredOperations(), `${EXTERNAL_URL}/api/v4`)
  const asSent = JSON.parse(JSON.stringify(document)) as Record<string, unknown>
  const result = await new Validator().validate(asSent)
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('shared parts of operations are defined once and referenced', async () => {
  const document = openApiDocument(await declaredOperations(), EXTERNAL_URL)
  const { components, paths } = document as {
    components: Record<'schemas' | 'parameters' | 'responses', Record<string, Described>>
    paths: Record<string, Record<string, { parameters: unknown; responses: Record<string, unknown> }>>
  }
  const jobs = paths['/projects/{id}/jobs']?.['get']
  expect(jobs?.responses).toMatchObject({
    200: {
      content: { 'application/json': { schema: { items: { $ref: '#/components/schemas/ProjectJob' } } } },
    },
    404: { $ref: '#/components/responses/NotFound' },
  })
  expect(jobs?.parameters).toContainEqual({ $ref: '#/components/parameters/PerPage' })
  expect(components.schemas['ProjectJob']?.properties?.['runner_manager']).toMatchObject({
    anyOf: [{ $ref: '#/components/schemas/RunnerManager' }, { type: 'null' }],
  })
  const bodies = paths['/projects/{id}/hooks']?.['post'] as { requestBody?: object } | undefined
  expect(bodies?.requestBody).toEqual({
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/CreateProjectHookBody' } },
      'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/CreateProjectHookBody' } },
    },
  })
  const records = Object.entries(components.schemas).filter(([name]) => !name.endsWith('Body'))
  const texts = records.map(([, schema]) => JSON.stringify(schema))
  expect(texts).toHaveLength(new Set(texts).size)
})

test('objects that differ in their descriptions alone are one, others of the same name have a number', () => {
  const user = (type: 'string' | 'integer') => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 20 }, (_, number) => [`field_${number}`, { type, description: 'A field.' }]),
    ),
  })
  const event = { type: 'object', properties: { user: { ...user('string'), description: 'Who.' } } }
  const shared = new SharedSchemas()
  shared.record(event, 'Event')
  shared.record(user('string'), 'User')
  shared.record({ type: 'array', items: user('integer') }, 'User')
  shared.record({ ...user('integer'), description: 'Others.' }, 'User')
  shared.finalize()
  expect(shared.referring(event)).toEqual({
    type: 'object',
    properties: { user: { $ref: '#/components/schemas/User', description: 'Who.' } },
  })
  expect(shared.components()).toEqual({
    User: { ...user('string'), examples: [expect.objectContaining({ field_1: 'field 1' })] },
    User2: { ...user('integer'), examples: [expect.objectContaining({ field_1: 1 })] },
  })
})

test('every operation has a name of its own, a tag, and the errors that it can respond', async () => {
  const operations = await describedOperations()
  const ids = operations.map(([, { operationId }]) => operationId)
  expect(ids.length).toBe(new Set(ids).size)
  for (const [route, { tags, responses }] of operations) {
    expect([route, tags.length, tags[0] !== '']).toEqual([route, 1, true])
    expect([route, Object.keys(responses)]).toEqual([route, expect.arrayContaining(['401', '429'])])
  }
})

test('errors of an operation are those of its declaration, with their codes', async () => {
  const document = openApiDocument(await declaredOperations(), EXTERNAL_URL)
  const { components, paths } = document as {
    components: { responses: Record<string, { headers: Record<string, { schema: { examples: string[] } }> }> }
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  const statusesOf = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {})
  expect(statusesOf('/projects/{id}/hooks', 'post')).toEqual(expect.arrayContaining(['400', '413', '415']))
  expect(statusesOf('/projects/{id}/hooks/{hook_id}', 'delete')).toContain('412')
  expect(statusesOf('/projects/{id}/hooks', 'get')).not.toContain('413')
  const codes = components.responses['NotFound']?.headers['X-Error-Code']?.schema.examples
  expect(codes).toEqual(expect.arrayContaining(['not_found', 'record_not_found', 'path_not_found']))
})

test('operations are named by their action and tagged by their resource', async () => {
  const byRoute = new Map(await describedOperations())
  const named = (route: string) => [byRoute.get(route)?.operationId, byRoute.get(route)?.tags[0]]
  expect([
    named('GET /projects/{id}/hooks'),
    named('GET /projects/{id}/hooks/{hook_id}'),
    named('POST /projects/{id}/jobs/{job_id}/retry'),
    named('POST /projects/{id}/fork'),
    named('GET /projects/{id}/forks'),
    named('GET /user'),
    named('GET /users/{id}'),
    named('PUT /user/status'),
    named('POST /projects/{id}/pipeline'),
    named('GET /projects/{id}/repository/branches/{branch}'),
    named('POST /admin/ci/variables'),
  ]).toEqual([
    ['listProjectHooks', 'Hooks'],
    ['getProjectHook', 'Hooks'],
    ['retryProjectJob', 'Jobs'],
    ['forkProject', 'Forks'],
    ['listProjectForks', 'Forks'],
    ['getCurrentUser', 'Users'],
    ['getUser', 'Users'],
    ['updateCurrentUserStatus', 'Users'],
    ['createProjectPipeline', 'Pipelines'],
    ['getProjectRepositoryBranch', 'Branches'],
    ['createAdminCiVariable', 'Variables'],
  ])
})

test('dependencies between parameters are described in a sentence', async () => {
  const byRoute = new Map(await describedOperations())
  expect([
    byRoute.get('POST /user/runners')?.description,
    byRoute.get('GET /audit_events')?.description,
    byRoute.get('PUT /projects/{id}')?.description,
    byRoute.get('GET /projects')?.description,
  ]).toEqual([
    'At most one of `active`, `paused` may be set.',
    '`entity_id` needs `entity_type` too.',
    'At least one of the parameters must be set.',
    undefined,
  ])
})

test('every record is shown by an example that is one', async () => {
  const problems = (await declaredOperations()).flatMap(({ method, path, responses }) =>
    Object.values(responses).flatMap((schema) => {
      const example = exampleOf(schema)
      const wrong = example === undefined ? [] : Compile(schema).Errors(example)
      return wrong.map(({ instancePath, message }) => `${method} ${path}: ${instancePath} ${message}`)
    }),
  )
  expect(problems).toEqual([])
  const byRoute = new Map(await describedOperations())
  const responses = byRoute.get('GET /projects/{id}/jobs')?.responses['200']?.content
  expect(responses?.['application/json']?.schema.items?.examples).toMatchObject([
    {
      id: 7,
      ref: 'main',
      status: 'success',
      created_at: '2026-01-15T09:30:00.000Z',
      user: { username: 'jane', state: 'active' },
      commit: { authored_date: '2026-01-15T09:30:00.000Z', author_email: 'jane@switchyard.example' },
      artifacts: [{ file_type: 'archive', file_format: 'zip' }],
      runner: { runner_type: 'instance_type', status: 'online' },
    },
  ])
})

test.each([
  [
    'the first of the words that its description lists',
    Type.String({ description: '`b`, `a` or `c`.' }),
    'b',
  ],
  ['the only word that its description allows', Type.String({ description: 'Always `b`.' }), 'b'],
  ['null when nothing is known of it, and it may be', Type.Union([Type.String(), Type.Null()]), null],
  ['its name when nothing else is known of it', Type.String({ description: 'What they say.' }), 'odd field'],
])('the example of a text is %s', (_what, schema, example) => {
  expect(exampleOf(Type.Object({ odd_field: schema }))).toEqual({ odd_field: example })
})

test('every parameter and field has a description', async () => {
  const missing = new Map<string, string[]>()
  for (const [route, { tags, parameters, requestBody, responses }] of await describedOperations()) {
    const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.values(body?.content ?? {}).map(({ schema }) => schema),
    )
    const fields = [
      ...parameters.filter(({ description }) => !description).map(({ name }) => name),
      ...bodies.flatMap((schema) => undescribedIn(schema, '')),
    ]
    const [tag = ''] = tags
    if (fields.length > 0) {
      missing.set(tag, [...(missing.get(tag) ?? []), `${route}: ${[...new Set(fields)].join(', ')}`])
    }
  }
  expect(Object.fromEntries(missing)).toEqual({})
})

function undescribedIn(schema: Described, at: string): string[] {
  const inner = [schema.items, ...(schema.anyOf ?? [])].filter((each) => each !== undefined)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const place = at === '' ? name : `${at}.${name}`
    return [...(field.description ? [] : [place]), ...undescribedIn(field, place)]
  })
  return [...fields, ...inner.flatMap((each) => undescribedIn(each, at))]
}

test('the page shows the document with parts of its own alone', async () => {
  const { app } = openApp((await openSqlite()).database, [])
  const page = await app.inject('/api/docs')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-security-policy']).toContain("script-src 'self';")
  expect(page.headers['content-security-policy']).not.toContain('unsafe')
  const parts = [...page.body.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, part]) => part)
  expect(parts).toHaveLength(3)
  for (const part of parts) {
    const response = await app.inject(`/api/${part}`)
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/(css|javascript)$/),
    ])
  }
  expect(page.body).not.toMatch(/https?:\/\//)
})
