import { expect, test } from 'vitest'

import type { User } from '../../../src/coordinator/access/caller.js'
import { insertGroup } from '../../../src/coordinator/accounts/groups/store.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { type Method, type Operation, respond } from '../../../src/coordinator/http/operation.js'
import { openSqlite, type TestDatabase } from '../../support/databases.js'
import { IS_NIGHTLY } from '../../support/nightly.js'
import { declaredOperations } from '../support/declared-operations.js'
import { addPerson, openApp, type Person, type TestApp } from '../support/test-app.js'
import { LEAST_ROLES, type LeastRole } from './least-roles.js'

const VISIBILITIES = ['private', 'internal', 'public'] as const
const LEVELS = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 }
const CALLERS = ['anonymous', 'stranger', ...words(LEVELS), 'administrator'] as const
const ALLOWED = 204

type Visibility = (typeof VISIBILITIES)[number]
type CallerName = (typeof CALLERS)[number]
type People = Record<CallerName, Person | undefined>

/** Where an operation is tried: a project and a group, and whether the project has public pipelines. */
interface Place {
  visibility: Visibility
  publicJobs: boolean
  projectId: number
  groupId: number
}

test('every operation has its row in the table of roles, and every row its operation', async () => {
  const operations = await declaredOperations()
  const routes = operations.map(({ method, path }) => `${method} ${path}`)
  expect(routes.toSorted()).toEqual(Object.keys(LEAST_ROLES).toSorted())
})

test('every operation requires exactly its documented role, at each visibility', async () => {
  const { app, operations, people, places } = await openMatrix()
  const surprises: string[] = []
  for (const [index, { method, path }] of operations.entries()) {
    const least = LEAST_ROLES[`${method} ${path}`]
    if (least === undefined) continue
    for (const place of placesFor(path, least, places, index)) {
      for (const caller of callersFor(least, place)) {
        const { statusCode } = await app.call(people[caller], `${method} ${addressOf(path, place)}`)
        const expected = expectedStatus(least, method, caller, path, place)
        if (statusCode === expected) continue
        const where = `${place.visibility}${place.publicJobs ? '' : ', its jobs not public'}`
        surprises.push(`${method} ${path} (${where}) as ${caller}: ${statusCode} instead of ${expected}`)
      }
    }
  }
  expect(surprises).toEqual([])
})

/**
 * Public pipelines are a setting of projects alone: for a group, the two places of a visibility are the same. Where no
 * role depends on that setting, it is on in the private project, and elsewhere in the nightly run alone. On a push, the
 * operations take turns at the other two visibilities, where callers without a role alone are tried.
 */
function placesFor(path: string, least: LeastRole, places: Place[], index: number): Place[] {
  if (!/^\/(groups|projects)\/:id/.test(path)) return places.slice(0, 1)
  const isGroup = path.startsWith('/groups/:id')
  if (IS_NIGHTLY) return isGroup ? places.filter(({ publicJobs }) => publicJobs) : places
  if (least === 'pipeline reader' && !isGroup) return places
  const other = index % 2 === 0 ? 'internal' : 'public'
  return places.filter(({ publicJobs, visibility }) => {
    if (visibility === 'private') return publicJobs
    return visibility === other && publicJobs === isGroup
  })
}

/**
 * Each role includes those below it: callers without a role, the least role and the one below it show where the border is.
 * The visibility of a project gives no rights to members: outside of the nightly run, they are tried in the private one.
 */
function callersFor(least: LeastRole, { visibility }: Place): readonly CallerName[] {
  if (IS_NIGHTLY || !(least in LEVELS)) return CALLERS
  if (visibility !== 'private') return ['anonymous', 'stranger']
  const roles: string[] = words(LEVELS)
  const border = roles.indexOf(least)
  return CALLERS.filter((name) => {
    const role = roles.indexOf(name)
    return role < 0 || role === border || role === border - 1
  })
}

/** Invisible objects are 404, visible but forbidden ones 403, and 401 requires sign-in (API, A4 and A15). */
function expectedStatus(
  least: LeastRole,
  method: Method,
  caller: CallerName,
  path: string,
  place: Place,
): number {
  if (least === 'anyone') return ALLOWED
  if (caller === 'administrator') return ALLOWED
  if (least === 'user') return caller === 'anonymous' ? 401 : ALLOWED
  if (least === 'administrator') return caller === 'anonymous' ? 401 : 403
  const isInGroup = path.startsWith('/groups/')
  const visitorLevel = isInGroup ? LEVELS.guest : LEVELS.reporter
  const isByMembership = least === 'pipeline reader' || least === 'reporting member'
  const needed = isByMembership ? LEVELS.reporter : LEVELS[least]
  if (caller === 'anonymous' && (method !== 'GET' || needed > visitorLevel)) return 401
  const isMember = caller !== 'anonymous' && caller !== 'stranger'
  const sees =
    isMember || place.visibility === 'public' || (place.visibility === 'internal' && caller !== 'anonymous')
  if (!sees) return 404
  if (isAllowed()) return ALLOWED
  return caller === 'anonymous' ? 401 : 403

  function isAllowed(): boolean {
    if (least === 'pipeline reader' && place.publicJobs) return true
    const membership = isMember ? LEVELS[caller as keyof typeof LEVELS] : 0
    if (isByMembership) return membership >= needed
    return Math.max(membership, place.visibility === 'private' ? 0 : visitorLevel) >= needed
  }
}

interface Matrix {
  app: TestApp
  operations: Operation[]
  people: People
  places: Place[]
}

/** All operations as they are declared, but for their parameters, what they do and what they change. */
async function openMatrix(): Promise<Matrix> {
  const store = await openSqlite()
  const operations = await declaredOperations()
  const app = openApp(
    store.database,
    operations.map(({ params: _, changes: _changes, ...declared }) => ({
      ...declared,
      run: async () => respond(ALLOWED),
    })),
    { checkResponses: false },
  )
  const people = await addPeople(store)
  const places = []
  for (const visibility of VISIBILITIES) {
    for (const publicJobs of [true, false]) {
      places.push(await addPlace(store, people, { visibility, publicJobs }))
    }
  }
  return { app, operations, people, places }
}

async function addPeople({ database }: TestDatabase): Promise<People> {
  const people: Partial<People> = { anonymous: undefined }
  for (const name of CALLERS) {
    if (name === 'anonymous') continue
    people[name] = await addPerson(database, name, { admin: name === 'administrator' })
  }
  return people as People
}

async function addPlace(
  { database }: TestDatabase,
  people: People,
  { visibility, publicJobs }: Pick<Place, 'visibility' | 'publicJobs'>,
): Promise<Place> {
  const name = `${visibility}-${publicJobs ? 'open' : 'closed'}`
  const now = Date.now()
  const at = { name, path: name, visibility, created_at: now }
  const group = await inTransaction(database, (tx) =>
    insertGroup(tx, { ...at, kind: 'group', full_path: name }),
  )
  const project = await database
    .insertInto('project')
    .values({
      ...at,
      namespace_id: group.id,
      creator_id: idOf(people.administrator),
      full_path: `${name}/${name}`,
      public_jobs: publicJobs,
      runners_token_digest: name,
      runners_token_encrypted: '',
      updated_at: now,
      last_activity_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const role of words(LEVELS)) {
    const member = { user_id: idOf(people[role]), access_level: LEVELS[role], created_at: now }
    const members = [
      { ...member, project_id: project.id },
      { ...member, group_id: group.id },
    ]
    await database.insertInto('member').values(members).execute()
  }
  return { visibility, publicJobs, projectId: project.id, groupId: group.id }
}

function addressOf(path: string, { projectId, groupId }: Place): string {
  const id = path.startsWith('/groups/') ? groupId : projectId
  return path.replace('/:id', `/${id}`).replace(/[:*]\w+/g, '1')
}

function idOf(user: User | undefined): number {
  if (!user) throw new Error('Nobody')
  return user.id
}

function words<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[]
}
