import { expect, test } from 'vitest'

import type { Project } from '../../../src/coordinator/access/caller.js'
import { createGroup } from '../../../src/coordinator/accounts/groups/groups.js'
import { insertGroup, listGroups } from '../../../src/coordinator/accounts/groups/store.js'
import { sourceOfProject } from '../../../src/coordinator/accounts/members/source.js'
import { listMembers } from '../../../src/coordinator/accounts/members/store.js'
import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import { listUsers } from '../../../src/coordinator/accounts/users/store.js'
import { findToken, listTokens } from '../../../src/coordinator/accounts/users/tokens/store.js'
import type { VariableOwner } from '../../../src/coordinator/ci/variables/owner.js'
import { createVariable, requireVariable } from '../../../src/coordinator/ci/variables/variables.js'
import { revokeToken } from '../../../src/coordinator/database/stores/access-token-store.js'
import { insertMember } from '../../../src/coordinator/database/stores/member-store.js'
import { updateProject } from '../../../src/coordinator/database/stores/project-store.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { addBadge, listBadgesOfProject } from '../../../src/coordinator/hosting/project-badges/link-badges.js'
import { createProject } from '../../../src/coordinator/hosting/projects/create/create-project.js'
import {
  createProjectAccessReader,
  createProjectFinder,
} from '../../../src/coordinator/hosting/projects/find-project.js'
import { listProjects } from '../../../src/coordinator/hosting/projects/record/list-projects.js'
import { loadFacts } from '../../../src/coordinator/hosting/projects/record/present-facts.js'
import { deleteProjectRow, takenNames } from '../../../src/coordinator/hosting/projects/store.js'
import {
  findProtectedRef,
  insertProtectedRef,
  listProtectedRefs,
} from '../../../src/coordinator/hosting/protected-ref-store.js'
import { TokenStore } from '../../../src/coordinator/http/authentication/store.js'
import { FIRST_PAGE } from '../../../src/coordinator/http/paging/paging.js'
import { tokenDigest } from '../../../src/lib/tokens.js'
import { describeOnEachDatabase, type OpenDatabase } from '../../support/databases.js'
import { NO_IMPORTS } from '../support/no-imports.js'
import { RecordedRepositories } from '../support/repositories.js'
import { addPerson, testSecrets } from '../support/test-app.js'

describeOnEachDatabase('people and projects', (open, testOnOne) => {
  testOnOne('a token identifies its owner; another text identifies no user', async () => {
    const { database } = await open()
    const mary = await addPerson(database, 'mary', { scopes: ['api', 'sudo'], expires_at: 5_000_000_000_000 })
    const store = new TokenStore(database)
    expect(await store.findToken(tokenDigest(mary.token))).toMatchObject({
      scopes: ['api', 'sudo'],
      revoked: false,
      expires_at: 5_000_000_000_000,
      user: { id: mary.id, username: 'mary', is_admin: false },
    })
    expect(await store.findToken(mary.token)).toBeUndefined()
  })

  testOnOne('a token is revoked once, and its state shows it', async () => {
    const { database } = await open()
    await addPerson(database, 'mary')
    const late = await addPerson(database, 'late', { expires_at: 1 })
    const { rows, total } = await listTokens(
      database,
      { state: 'inactive', impersonation: false },
      FIRST_PAGE,
    )
    expect([rows.map(({ user_id }) => user_id), total]).toEqual([[late.id], 1])
    const active = await listTokens(
      database,
      { state: 'active', search: 'TES', impersonation: false },
      FIRST_PAGE,
    )
    const id = active.rows[0]?.id ?? 0
    expect([await revokeToken(database, id), await revokeToken(database, id)]).toEqual([true, false])
    expect(await findToken(database, id)).toMatchObject({ revoked: true })
  })

  test('users are found by part of their name, in either case', async () => {
    const { database } = await open()
    await addPerson(database, 'Mary')
    await addPerson(database, 'paul')
    const { rows, total } = await listUsers(database, { search: 'ARY', order_by: 'name' }, FIRST_PAGE, {
      id: 0,
      is_admin: true,
      external: false,
    })
    expect([rows.map(({ username }) => username), total]).toEqual([['Mary'], 1])
  })

  test('of two users with one name only one is made', async () => {
    const { database } = await open()
    const make = (email: string) => createUser(database, { username: 'mary', name: 'M', email })
    const results = await Promise.allSettled([make('a@example.com'), make('b@example.com')])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await database.selectFrom('namespace').selectAll().execute()).toHaveLength(1)
  })

  testOnOne('a project is found by ID and path, and the access level of a user in it is read', async () => {
    const { database, owner, stranger, project } = await openWithProject(open)
    const find = createProjectFinder(database)
    expect(await find(String(project.id))).toMatchObject({ id: project.id, archived: false })
    expect(await find('OWNER/IT')).toMatchObject({ id: project.id })
    expect(await find('owner/none')).toBeUndefined()
    const projectAccessOf = createProjectAccessReader(database)
    expect(await projectAccessOf(owner, project)).toEqual({ membership: 50, ownsNamespace: true })
    expect(await projectAccessOf(stranger, project)).toEqual({ membership: 0, ownsNamespace: false })
    const ended = { user_id: stranger.id, access_level: 30, expires_at: 1, created_by_id: null }
    await inTransaction(database, (tx) => insertMember(tx, sourceOfProject(project), ended))
    expect(await projectAccessOf(stranger, project)).toEqual({ membership: 0, ownsNamespace: false })
  })

  test('a membership that has expired can be given again, one that has not cannot', async () => {
    const { database, stranger, project } = await openWithProject(open)
    const source = sourceOfProject(project)
    const member = { user_id: stranger.id, access_level: 30, created_by_id: null }
    const insert = (expires_at: number | null) =>
      inTransaction(database, (tx) => insertMember(tx, source, { ...member, expires_at }))
    expect([await insert(1), await insert(null), await insert(null)]).toMatchObject([
      { expires_at: 1 },
      { expires_at: null },
      undefined,
    ])
    const { rows, total } = await listMembers(database, { source }, { user_ids: [stranger.id] }, FIRST_PAGE)
    expect(rows).toMatchObject([{ username: 'stranger', access_level: 30, expires_at: null }])
    expect(total).toBe(1)
  })

  testOnOne('badges of a project are its own and those of its groups', async () => {
    const { database, project } = await openWithProject(open)
    const group = await inTransaction(database, (tx) =>
      insertGroup(tx, {
        kind: 'group',
        name: 'Team',
        path: 'team',
        full_path: 'team',
        visibility: 'private',
        created_at: 1,
      }),
    )
    const badge = { link_url: 'http://badge.example', image_url: 'http://badge.example' }
    await addBadge(database, { group_id: group.id }, { ...badge, name: 'of the group' })
    await addBadge(database, { project_id: project.id }, { ...badge, name: 'its own' })
    const names = async (namespace_id: number) => {
      const badges = await listBadgesOfProject(database, { ...project, namespace_id })
      return badges.map(({ name }) => name)
    }
    expect(await names(project.namespace_id)).toEqual(['its own'])
    expect(await names(group.id)).toEqual(['of the group', 'its own'])
  })

  testOnOne('lists hold what the viewer may see', async () => {
    const { database, owner, stranger, project } = await openWithProject(open)
    const count = async (viewer: typeof owner | undefined) =>
      (await listProjects(database, { order_by: 'name' }, viewer, FIRST_PAGE)).total
    expect([await count(owner), await count(stranger), await count(undefined)]).toEqual([1, 0, 0])
    await updateProject(database, project.id, { visibility: 'internal' })
    expect([await count(stranger), await count(undefined)]).toEqual([1, 0])
    const facts = (await loadFacts(database, [project], owner))(project)
    expect(facts).toMatchObject({
      namespace: { path: 'owner' },
      owner: { username: 'owner' },
      levels: { direct: 50, personal: 50 },
    })
  })

  testOnOne('names are taken in one namespace only, and not by the project itself', async () => {
    const { database, project } = await openWithProject(open)
    const names = { name: 'IT', path: 'other' }
    expect(await takenNames(database, project.namespace_id, names)).toEqual({ name: true, path: false })
    const without = { ...names, except: project.id }
    expect(await takenNames(database, project.namespace_id, without)).toEqual({ name: false, path: false })
  })

  testOnOne('a deleted project takes its members, variables and rules along', async () => {
    const { database, project } = await openWithProject(open)
    const deps = { database, secrets: testSecrets() }
    await createVariable(deps, ownerOf(project), { key: 'K', value: 'v' })
    await protect(database, project, 'main')
    expect(await deleteProjectRow(database, project.id)).toBe(true)
    expect(await deleteProjectRow(database, project.id)).toBe(false)
    for (const table of ['member', 'ci_variable', 'protected_ref'] as const) {
      expect(await database.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
  })

  testOnOne('a variable keeps its flags and its value', async () => {
    const { database, project } = await openWithProject(open)
    const secrets = testSecrets()
    await createVariable({ database, secrets }, ownerOf(project), {
      key: 'K',
      value: 'value-long-enough',
      masked: true,
    })
    const row = await requireVariable(database, ownerOf(project), { key: 'K' })
    expect(row).toMatchObject({ masked: true, protected: false, environment_scope: '*', description: null })
    expect(secrets.decrypt(row.value_encrypted)).toBe('value-long-enough')
    const again = createVariable({ database, secrets }, ownerOf(project), { key: 'K', value: 'x' })
    await expect(again).rejects.toMatchObject({ status: 400 })
  })

  testOnOne('a rule about branches is there once', async () => {
    const { database, project } = await openWithProject(open)
    expect(await protect(database, project, 'v%')).toMatchObject({ name: 'v%', allow_force_push: false })
    expect(await protect(database, project, 'v%')).toBeUndefined()
    expect(await findProtectedRef(database, project.id, 'tag', 'v%')).toBeUndefined()
    const { total } = await listProtectedRefs(database, project.id, 'branch', '%', FIRST_PAGE)
    expect(total).toBe(1)
  })

  testOnOne('groups are seen by their makers, and by all when they are open', async () => {
    const { database } = await open()
    const mary = await addPerson(database, 'mary')
    const paul = await addPerson(database, 'paul')
    const deps = { database, secrets: testSecrets() }
    await createGroup(deps, { name: 'Open', path: 'open', visibility: 'public' }, mary)
    await createGroup(deps, { name: 'Closed', path: 'closed' }, mary)
    const paths = async (viewer: typeof mary | undefined): Promise<string[]> => {
      const { rows } = await listGroups(database, { least: 0 }, viewer, FIRST_PAGE)
      return rows.map(({ path }) => path)
    }
    expect([await paths(mary), await paths(paul), await paths(undefined)]).toEqual([
      ['closed', 'open'],
      ['open'],
      ['open'],
    ])
    const taken = createGroup(deps, { name: 'x', path: 'OPEN' }, paul)
    await expect(taken).rejects.toMatchObject({ status: 400 })
  })
})

function ownerOf({ id }: Project): VariableOwner {
  return { kind: 'project', id }
}

async function openWithProject(open: OpenDatabase) {
  const { database } = await open()
  const owner = await addPerson(database, 'owner')
  const stranger = await addPerson(database, 'stranger')
  const deps = {
    database,
    secrets: testSecrets(),
    repositories: await RecordedRepositories.open(),
    imports: NO_IMPORTS,
  }
  const project: Project = await createProject(deps, { name: 'it' }, owner)
  return { database, owner, stranger, project }
}

function protect(database: Awaited<ReturnType<OpenDatabase>>['database'], project: Project, name: string) {
  return inTransaction(database, (tx) =>
    insertProtectedRef(tx, {
      project_id: project.id,
      kind: 'branch',
      name,
      push_access_level: 40,
      merge_access_level: 40,
      created_at: 1,
    }),
  )
}

describeOnEachDatabase('a condition with an empty list', (open) => {
  test('is true for no row, and its opposite for every row, of null as well', async () => {
    const { database } = await open()
    await addPerson(database, 'mary')
    const users = database.selectFrom('user').select('username')
    expect(await users.where('id', 'in', []).execute()).toEqual([])
    expect(await users.where('username', 'not in', []).execute()).toEqual([{ username: 'mary' }])
    expect(await users.where('avatar', 'not in', []).execute()).toEqual([{ username: 'mary' }])
    expect(await users.where(({ not, eb }) => not(eb('id', 'in', []))).execute()).toHaveLength(1)
  })
})
