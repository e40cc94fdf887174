import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { importEntities } from '../../../src/coordinator/bulk-imports/import-entities.js'
import { deferred } from '../../../src/lib/deferred.js'
import { testAtNight } from '../../support/nightly.js'
import { destinationForFile, openDestination, requestFor, totalsOf } from './support/import-scene.js'
import { type Recorded, recorded, startRecordedSource, TOKEN } from './support/recorded-source.js'

const destination = destinationForFile()

const SHOP = '/projects/copy%2Fshop'

test('a group is imported from recorded responses of the reference', async () => {
  const { url, requests } = await startRecordedSource(recorded())
  const { imported, ok, person, database } = await destination()
  const jane = await person('jane')
  const report = await imported(url, TOKEN)
  expect(report.entities.map(({ status, error }) => [status, error])).toEqual([
    ['finished', null],
    ['finished', null],
  ])
  expect(totalsOf(report)).toEqual({
    groups: { imported: 1 },
    projects: { imported: 1 },
    repositories: { failed: 1 },
    labels: { imported: 1 },
    milestones: { imported: 1 },
    members: { imported: 1, left_out: 1 },
    issues: { imported: 1, failed: 1 },
    notes: { imported: 2 },
    merge_requests: { imported: 1 },
    releases: { left_out: 1 },
    // The branch is missing with the repository.
    schedules: { failed: 1 },
    variables: { left_out: 2 },
    runners: { left_out: 1 },
  })
  const ofApi = requests.filter(({ path }) => !path.includes('.git/'))
  expect(new Set(ofApi.map(({ token }) => token))).toEqual(new Set([TOKEN]))
  expect(await ok(`GET ${SHOP}`)).toMatchObject({
    merge_method: 'ff',
    topics: ['web'],
    wiki_access_level: 'disabled',
    import_status: 'finished',
  })
  const issue = await ok<{ description: string }>(`GET ${SHOP}/issues/4`)
  expect(issue).toMatchObject({
    title: 'Prices are wrong',
    state: 'closed',
    labels: ['priority::high'],
    milestone: { title: 'Q1' },
    author: { username: 'root' },
    closed_by: { id: jane.id },
    assignees: [{ id: jane.id }],
    confidential: true,
    issue_type: 'issue',
    created_at: '2024-02-01T10:00:00.000Z',
    closed_at: '2024-02-03T10:00:00.000Z',
    time_stats: { time_estimate: 3600 },
  })
  expect(issue.description).toBe(
    `*Created by \`Gone Person # Title\` (\`gone\`) at ${url}.*\n\nSee !7 and @root`,
  )
  const notes = await ok<{ body: string }[]>(`GET ${SHOP}/issues/4/notes?sort=asc`)
  expect(notes).toMatchObject([
    { body: 'Which ones?', author: { id: jane.id }, type: 'DiscussionNote', internal: false },
    { body: `*Created by \`Gone Person\` (\`gone\`) at ${url}.*\n\n/close\n\nAll of them`, internal: true },
  ])
  expect(await ok(`GET ${SHOP}/merge_requests/7`)).toMatchObject({
    state: 'merged',
    author: { id: jane.id },
    merged_by: { id: jane.id },
    source_branch: 'prices',
    merged_at: '2024-02-03T09:00:00.000Z',
  })
  expect(report.items).toContainEqual({
    entity_id: expect.any(Number) as number,
    kind: 'variables',
    name: 'DEPLOY_TOKEN',
    outcome: 'left_out',
    reason:
      'set its value under Settings: variable, environment scope production, protected, masked and hidden',
  })
  const followers = ['mail_notice', 'hook_event', 'todo', 'pipeline'] as const
  for (const table of followers) {
    const rows = await database.selectFrom(table).selectAll().execute()
    expect(rows, table).toEqual([])
  }
  expect(await database.selectFrom('bulk_import').select(['status', 'token_encrypted']).execute()).toEqual([
    { status: 'finished', token_encrypted: null },
  ])
})

test('only administrators import in the name of others', async () => {
  const { url } = await startRecordedSource(recorded())
  const { imported, ok, person } = await destination()
  await person('jane')
  const eve = await person('eve')
  await imported(url, TOKEN, {}, eve)
  const as = eve
  expect(await ok(`GET ${SHOP}/issues/4`, undefined, as)).toMatchObject({
    author: { id: eve.id },
    closed_by: null,
  })
  const [mergeRequest] = await ok<{ author: object; description: string }[]>(
    `GET ${SHOP}/merge_requests`,
    undefined,
    as,
  )
  expect(mergeRequest).toMatchObject({ author: { id: eve.id }, merged_by: null })
  expect(mergeRequest?.description).toContain('*Created by `Jane Doe` (`jane`) at')
  expect(await ok('GET /groups/copy/members', undefined, as)).toMatchObject([
    { username: 'jane' },
    { username: 'eve' },
  ])
})

test('a dry run changes nothing and reports what would be imported', async () => {
  const { url } = await startRecordedSource(recorded())
  const { imported, call, person } = await destination()
  await person('jane')
  const report = await imported(url, TOKEN, { dry_run: true })
  expect(totalsOf(report)).toMatchObject({
    issues: { imported: 1, failed: 1 },
    members: { imported: 1, left_out: 1 },
    variables: { left_out: 2 },
  })
  expect((await call('GET /groups/copy'))[0]).toBe(404)
})

testAtNight(
  'a second import adds nothing, and a group or project of another origin is not touched',
  async () => {
    const { url } = await startRecordedSource(recorded())
    const { imported, ok, person } = await destination()
    await person('jane')
    await imported(url, TOKEN)
    expect(totalsOf(await imported(url, TOKEN))).toMatchObject({
      groups: { present: 1 },
      projects: { present: 1 },
      // The source has none to copy, so that an empty one is there.
      repositories: { failed: 1 },
      labels: { present: 1 },
      milestones: { present: 1 },
      members: { present: 1, left_out: 1 },
      issues: { present: 1, failed: 1 },
      notes: { present: 2 },
      merge_requests: { present: 1 },
    })
    expect(await ok(`GET ${SHOP}/issues`)).toHaveLength(1)
    await ok('POST /groups', { name: 'Other', path: 'other' })
    const { entities } = await imported(url, TOKEN, requestFor(url, TOKEN, { destination_slug: 'other' }))
    expect(entities[0]?.error).toMatch(/^other exists and is no copy of this group/)
  },
)

test('an import ends when its user was blocked, and stops filling what the user does not own any more', async () => {
  const responses = recorded()
  const { url } = await startRecordedSource(responses)
  const { deps, start, ok, person, database } = await destination()
  const eve = await person('eve')
  const outcome = async (change: () => Promise<unknown>) => {
    const { id } = await start(
      url,
      TOKEN,
      requestFor(url, TOKEN, { destination_slug: `copy${Math.random()}`.replace('.', '') }),
      eve,
    )
    let isChanged = false
    const changing = {
      ...deps,
      egress: {
        ...deps.egress,
        addressOf: (address: URL) => deps.egress.addressOf(address),
        refuses: (address: string) => deps.egress.refuses(address),
        send: async (wanted: Parameters<typeof deps.egress.send>[0]) => {
          if (wanted.url.includes('/labels') && !isChanged) {
            isChanged = true
            await change()
          }
          return deps.egress.send(wanted)
        },
      },
    }
    await importEntities(changing, id, new AbortController().signal)
    const row = await database
      .selectFrom('bulk_import')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const entities = await database
      .selectFrom('bulk_import_entity')
      .selectAll()
      .where('bulk_import_id', '=', id)
      .execute()
    return { row, first: entities[0] }
  }
  const lost = await outcome(async () => {
    await database.deleteFrom('member').where('user_id', '=', eve.id).execute()
  })
  expect(lost.first).toMatchObject({
    status: 'failed',
    error: 'The user who started the import does not own the copy any more',
  })
  const blocked = await outcome(() => ok(`POST /users/${eve.id}/block`))
  expect(blocked.row).toMatchObject({
    status: 'failed',
    error: 'The user who started the import is not active any more',
    token_encrypted: null,
  })
})

const HOSTILE: Record<string, { change: Recorded; problem: RegExp }> = {
  'a token that is refused': {
    change: { '/groups/acme': { status: 401, body: {} } },
    problem: /refuses the access token/,
  },
  'an unknown group': {
    change: { '/groups/acme': undefined },
    problem: /responded to \/groups\/acme with 404/,
  },
  'a record of another shape': {
    change: { '/groups/acme': { id: 'x' } },
    problem: /record of another shape/,
  },
  'a record that is no object': { change: { '/groups/acme': ['x'] }, problem: /record that is no object/ },
  'a list that is none': { change: { '/groups/40/labels': {} }, problem: /sent no list/ },
  'too many records in a page': {
    change: { '/groups/40/labels': Array.from({ length: 1001 }, () => ({})) },
    problem: /more than 1000 records/,
  },
  'a redirect to another host': {
    change: {
      '/groups/acme': (
        _request: unknown,
        response: { writeHead: (...args: unknown[]) => { end: () => void } },
      ) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    },
    problem: /redirects \/groups\/acme to http:\/\/169\.254\.169\.254/,
  },
  'no JSON': {
    change: {
      '/groups/acme': (_request: unknown, response: { end: (text: string) => void }) =>
        response.end('<html>'),
    },
    problem: /sent no JSON/,
  },
  'pages without end': {
    change: {
      '/groups/40/labels': (
        _request: unknown,
        response: { writeHead: (...args: unknown[]) => { end: (text: string) => void } },
      ) =>
        response
          .writeHead(200, { link: '<http://169.254.169.254/x?page=2>; rel="next"' })
          .end('[{"id":1,"name":"a","color":"#fff"}]'),
    },
    problem: /repeats a page/,
  },
  'a response without end': {
    change: {
      '/groups/acme': (
        _request: unknown,
        response: { write: (chunk: Buffer) => void; destroyed: boolean },
      ) => {
        for (let sent = 0; sent < 17; sent++) response.write(Buffer.alloc(1024 * 1024, ' '))
      },
    },
    problem: /larger than 16777216 bytes/,
  },
  'a server that always fails': {
    change: { '/groups/acme': { status: 502, body: {} } },
    problem: /with 502/,
  },
  'groups that contain each other': {
    change: {
      '/groups/40/subgroups': (request: { url?: string }, response: { end: (text: string) => void }) =>
        response.end(JSON.stringify([nested(1)])),
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, depth) => [`/groups/${1000 + depth}`, nested(depth)]),
      ),
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, depth) => [`/groups/${1000 + depth}/subgroups`, [nested(depth + 1)]]),
      ),
    },
    problem: /more than 20 levels of groups/,
  },
}

function nested(depth: number) {
  const full_path = `acme${'/a'.repeat(depth)}`
  return { id: 1000 + depth, name: 'a', path: 'a', full_path, visibility: 'private' }
}

test('a source that misbehaves gives a clear failure', async () => {
  const { imported } = await destination()
  for (const [name, { change, problem }] of Object.entries(HOSTILE)) {
    const { url } = await startRecordedSource({ ...recorded(), ...change })
    const { error, entities } = await imported(url, TOKEN, { dry_run: true })
    const errors = [error, ...entities.map((entity) => entity.error)].filter((one) => one !== null)
    expect(errors.join('\n'), name).toMatch(problem)
  }
})

test('a source in the local network is refused unless administrators allow it', async () => {
  const { url } = await startRecordedSource(recorded())
  const { call } = await openDestination(undefined, { allowLocalNetwork: false })
  expect(await call('POST /bulk_imports', requestFor(url, TOKEN))).toEqual([
    400,
    { message: { url: ['is blocked: Requests to the local network are not allowed'] } },
  ])
})

test('requests wait as long as the source limits their rate, and are repeated when it fails', async () => {
  const responses = recorded()
  let refusals = 0
  responses['/groups/acme'] = (_request: unknown, response: ServerResponse) => {
    refusals += 1
    if (refusals === 1) response.writeHead(429, { 'retry-after': '0' }).end()
    else if (refusals === 2) response.writeHead(503).end()
    else if (refusals === 3) response.destroy()
    else response.end(JSON.stringify(recorded()['/groups/acme']))
  }
  const { url } = await startRecordedSource(responses)
  const { imported } = await destination()
  expect(await imported(url, TOKEN, { dry_run: true })).toMatchObject({ status: 'finished' })
  expect(refusals).toBe(4)
})

test('an import can be canceled, by its user alone, and its token is deleted', async () => {
  const { start, ok, call, person, database } = await destination()
  const eve = await person('eve')
  const { id } = await start('http://127.0.0.1:9', TOKEN, {}, eve)
  const path = `/bulk_imports/${id}`
  expect((await call(`POST ${path}/cancel`))[0]).toBe(404)
  expect((await call(`GET ${path}/report`))[0]).toBe(404)
  expect(await ok(`POST ${path}/cancel`, undefined, eve)).toMatchObject({ status: 'canceled' })
  expect(await call(`POST ${path}/cancel`, undefined, eve)).toMatchObject([422, {}])
  expect(await ok(`GET ${path}/entities`, undefined, eve)).toMatchObject([{ status: 'canceled' }])
  expect(await database.selectFrom('bulk_import').select('token_encrypted').execute()).toEqual([
    { token_encrypted: null },
  ])
})

test('an import that is under way stops at once when it is canceled', async () => {
  const [arrived, closed] = [deferred(), deferred()]
  const { url } = await startRecordedSource({
    '/groups/acme': (_request: unknown, response: ServerResponse) => {
      response.on('close', () => closed.resolve())
      arrived.resolve()
    },
  })
  const { start, ok, services } = await destination()
  const stop = new AbortController()
  const running = services.bulkImports.run(stop.signal)
  const { id } = await start(url, TOKEN)
  services.bulkImports.wake()
  await arrived.promise
  expect(await ok(`POST /bulk_imports/${id}/cancel`)).toMatchObject({ status: 'canceled' })
  await closed.promise
  stop.abort()
  await running
})
