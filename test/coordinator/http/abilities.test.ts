import { expect, test } from 'vitest'

import { projectAbilities } from '../../../src/coordinator/access/abilities.js'
import { refusalInProject } from '../../../src/coordinator/access/access.js'
import { PROJECT_PERMISSIONS } from '../../../src/coordinator/access/permissions.js'
import { FEATURES } from '../../../src/coordinator/access/project-features.js'
import type {
  GroupAbilities,
  ProjectAbilities,
} from '../../../src/coordinator/http/presenters/abilities-schema.js'
import { openForFile } from '../../support/lifetime.js'
import { addMember, addProject, openPeopleApi } from '../support/people-api.js'
import { addPerson, type Person } from '../support/test-app.js'

const opened = openForFile(async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  const developer = await addPerson(api.database, 'developer')
  const stranger = await addPerson(api.database, 'stranger')
  return { api, owner, developer, stranger }
})

async function abilities(as: Person | undefined, projectId: number): Promise<ProjectAbilities> {
  const response = await opened().api.call(as, `GET /projects/${projectId}/abilities`)
  expect(response.statusCode).toBe(200)
  return response.json()
}

test('a developer may push but not administer', async () => {
  const { api, owner, developer } = opened()
  const project = await addProject(api, owner, { name: 'roles', visibility: 'private' })
  await addMember(api, owner, project.id, developer, 30)
  const result = await abilities(developer, project.id)
  expect(result).toMatchObject({ level: 30, read_only: null, frozen: [], removals_only: [] })
  expect(result.may).toEqual(expect.arrayContaining(['read_project', 'push_code', 'run_pipelines']))
  expect(result.may).not.toContain('admin_project')
  expect((await abilities(owner, project.id)).may).toContain('remove_project')
})

test('an anonymous visitor of a public project may read, and a private project stays hidden', async () => {
  const { api, owner, stranger } = opened()
  const open = await addProject(api, owner, { name: 'open', visibility: 'public' })
  const result = await abilities(undefined, open.id)
  expect(result.level).toBe(20)
  expect(result.may).toContain('read_code')
  expect(result.may).not.toContain('push_code')
  const hidden = await addProject(api, owner, { name: 'hidden', visibility: 'private' })
  const refused = await api.call(stranger, `GET /projects/${hidden.id}/abilities`)
  expect(refused.statusCode).toBe(404)
})

test('a feature that is disabled or limited to members is not available to a visitor', async () => {
  const { api, owner, stranger } = opened()
  const project = await addProject(api, owner, {
    name: 'features',
    visibility: 'public',
    issues_access_level: 'disabled',
    repository_access_level: 'private',
  })
  const visitor = await abilities(stranger, project.id)
  expect(visitor.features).toMatchObject({ issues: false, repository: false, builds: false, wiki: true })
  expect(visitor.may).not.toContain('read_code')
  const { features } = await abilities(owner, project.id)
  expect(features).toMatchObject({
    issues: false,
    repository: true,
    builds: true,
    pages: true,
    operations: false,
  })
})

test('an archived project is read-only, except for removals and for the project as a whole', async () => {
  const { api, owner } = opened()
  const project = await addProject(api, owner, { name: 'old' })
  const before = await abilities(owner, project.id)
  await api.call(owner, `POST /projects/${project.id}/archive`)
  const after = await abilities(owner, project.id)
  expect(after.may).toEqual(before.may)
  expect(after.read_only).toBe('archived')
  expect(after.frozen).toContain('push_code')
  expect(after.removals_only).toContain('admin_members')
  for (const permission of ['star_project', 'archive_project'] as const) {
    expect(after.frozen).not.toContain(permission)
    expect(after.removals_only).not.toContain(permission)
  }
})

test('abilities predict which changes are refused, for each permission, level and state', async () => {
  const { api, owner } = opened()
  const { id } = await addProject(api, owner, { name: 'model' })
  const row = await api.database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const states = [
    row,
    { ...row, archived: true },
    { ...row, marked_for_deletion_at: 1 },
    { ...row, public_jobs: false, issues_access_level: 'disabled' as const },
  ]
  const caller = { kind: 'user' as const, user: owner, scopes: [], tokenId: undefined }
  const surprises: string[] = []
  for (const project of states) {
    for (const accessLevel of [10, 20, 30, 40, 50]) {
      const access = { accessLevel, membership: accessLevel }
      const { may, frozen, removals_only } = projectAbilities({ project, ...access })
      for (const permission of PROJECT_PERMISSIONS) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const refused = refusalInProject(permission, project, {
            caller,
            operation: { method },
            ...access,
          })
          const isStopped =
            method !== 'GET' &&
            (frozen.includes(permission) || (removals_only.includes(permission) && method !== 'DELETE'))
          const isExpected = may.includes(permission) && !isStopped
          if (isExpected === (refused === undefined)) continue
          surprises.push(`${method} ${permission} at ${accessLevel}`)
        }
      }
    }
  }
  expect(surprises).toEqual([])
})

test('every feature has its response', async () => {
  const { api, owner } = opened()
  const project = await addProject(api, owner, { name: 'names' })
  const { features } = await abilities(owner, project.id)
  expect(Object.keys(features).toSorted()).toEqual(FEATURES.toSorted())
})

test('a group member has the permissions of the level, and a visitor those of a guest', async () => {
  const { api, owner, stranger } = opened()
  const group = await api.call(owner, 'POST /groups', { name: 'team', path: 'team', visibility: 'public' })
  const { id } = group.json<{ id: number }>()
  const asOwner = await api.call(owner, `GET /groups/${id}/abilities`)
  const own = asOwner.json<GroupAbilities>()
  expect(own.level).toBe(50)
  expect(own.may).toContain('admin_group_runners')
  const asStranger = await api.call(stranger, `GET /groups/${id}/abilities`)
  const visiting = asStranger.json<GroupAbilities>()
  expect(visiting.level).toBe(10)
  expect(visiting.may).toContain('read_group')
  expect(visiting.may).not.toContain('admin_group')
})

test('a response that has not changed is not sent again', async () => {
  const { api, owner } = opened()
  const project = await addProject(api, owner, { name: 'tagged' })
  const url = `/api/v4/projects/${project.id}/abilities`
  const first = await api.app.inject({ url, headers: { 'private-token': owner.token } })
  const again = await api.app.inject({
    url,
    headers: { 'private-token': owner.token, 'if-none-match': String(first.headers.etag) },
  })
  expect([first.statusCode, again.statusCode]).toEqual([200, 304])
})

test('a refusal names the role that the caller would need, unless the role is not the reason', async () => {
  const { api, owner, developer } = opened()
  const project = await addProject(api, owner, { name: 'needs', visibility: 'private' })
  await addMember(api, owner, project.id, developer, 30)
  const refusal = async (as: Person, call: string, body?: object) => {
    const { statusCode, headers, body: text } = await api.call(as, call, body)
    return [statusCode, text, headers['x-required-role'], headers['x-required-role-in']]
  }
  const forbidden = '{"message":"403 Forbidden"}'
  const at = `/projects/${project.id}`
  expect(await refusal(developer, `PUT ${at}`, { description: 'x' })).toEqual([
    403,
    forbidden,
    'maintainer',
    'project',
  ])
  expect(await refusal(developer, `DELETE ${at}`)).toEqual([403, forbidden, 'owner', 'project'])
  await api.call(owner, `POST ${at}/archive`)
  expect(await refusal(owner, `PUT ${at}`, { description: 'x' })).toEqual([
    403,
    forbidden,
    undefined,
    undefined,
  ])
})
