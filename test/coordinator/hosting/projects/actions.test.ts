import { expect, test, vi } from 'vitest'

import { deleteFilesOfDeletedProjects } from '../../../../src/coordinator/hosting/projects/deleted-projects.js'
import { updateProjectStatistics } from '../../../../src/coordinator/hosting/projects/statistics/update-project-statistics.js'
import { findProject } from '../../../../src/coordinator/hosting/projects/store.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { gitOk, workTree } from '../../../support/git-client.js'
import { testAtNight } from '../../../support/nightly.js'
import { addMember, addProject, type PeopleApi, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

async function push(api: PeopleApi, projectId: number, files: Record<string, string>): Promise<void> {
  const tree = await workTree(files)
  await gitOk(tree, 'push', '--quiet', '--force', api.repositories.path(projectId), 'HEAD:refs/heads/main')
  await api.database
    .updateTable('project')
    .set({ default_branch: 'main' })
    .where('id', '=', projectId)
    .execute()
}

test('a second star or unstar gets 304', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const { id } = await addProject(api, api.root, { name: 'it', visibility: 'public' })
  const ask = async (route: string) => (await api.call(mary, route)).statusCode
  expect(await ask(`POST /projects/${id}/unstar`)).toBe(304)
  const starred = await api.call(mary, `POST /projects/${id}/star`)
  expect(starred.json()).toMatchObject({ id, star_count: 1 })
  expect(await ask(`POST /projects/${id}/star`)).toBe(304)
  expect((await api.call(mary, 'GET /projects?starred=true')).json()).toMatchObject([{ id, star_count: 1 }])
  expect((await api.call(undefined, 'GET /users/mary/starred_projects')).json()).toMatchObject([{ id }])
  expect((await api.call(undefined, `GET /projects/${id}/starrers?search=MAR`)).json()).toMatchObject([
    { user: { username: 'mary' }, starred_since: expect.any(String) as string },
  ])
  expect((await api.call(undefined, `GET /projects/${id}/starrers?search=bob`)).json()).toEqual([])
  expect(await ask(`POST /projects/${id}/unstar`)).toBe(201)
  expect((await api.call(undefined, `POST /projects/${id}/star`)).statusCode).toBe(401)
})

test("a user's starred projects are shown only to viewers with access to them", async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const eve = await addPerson(api.database, 'eve')
  const { id } = await addProject(api, mary, { name: 'secret' })
  await api.call(mary, `POST /projects/${id}/star`)
  expect((await api.call(eve, 'GET /users/mary/starred_projects')).json()).toEqual([])
  expect((await api.call(mary, 'GET /users/mary/starred_projects')).json()).toHaveLength(1)
})

test('an archived project is read-only until it is unarchived', async () => {
  const api = await openPeopleApi()
  const max = await addPerson(api.database, 'max')
  const { id } = await addProject(api, api.root, { name: 'it' })
  await addMember(api, api.root, id, max, 40)
  expect((await api.call(max, `POST /projects/${id}/archive`)).statusCode).toBe(403)
  expect((await api.call(api.root, `POST /projects/${id}/archive`)).json()).toMatchObject({ archived: true })
  expect((await api.call(max, `GET /projects/${id}`)).json()).toMatchObject({ archived: true })
  expect((await api.call(api.root, `PUT /projects/${id}`, { description: 'x' })).statusCode).toBe(403)
  expect((await api.call(api.root, 'GET /projects?archived=false')).json()).toEqual([])
  await api.call(api.root, `POST /projects/${id}/unarchive`)
  expect((await api.call(api.root, `PUT /projects/${id}`, { description: 'x' })).statusCode).toBe(200)
})

test('a transfer requires permission to create projects in the target, which limits the visibility', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, mary, { name: 'it', visibility: 'public' })
  const move = (namespace: unknown, as: Person = mary) =>
    api.call(as, `PUT /projects/${project.id}/transfer`, { namespace })
  const team = (await api.call(mary, 'POST /groups', { name: 'Team', path: 'team' })).json<{ id: number }>()
  await api.call(api.root, 'POST /groups', { name: 'Open', path: 'open', visibility: 'public' })
  await api.call(api.root, 'POST /groups', { name: 'Hidden', path: 'hidden' })
  expect((await move('hidden')).json()).toEqual({ message: '404 Namespace Not Found' })
  expect((await move('none')).statusCode).toBe(404)
  expect((await move('open')).json()).toEqual({
    message: "Failed to transfer project You don't have permission to transfer projects into that namespace.",
  })
  expect((await move('mary')).json()).toEqual({
    message: 'Failed to transfer project Project is already in this namespace.',
  })
  expect((await move('team')).json()).toMatchObject({ path_with_namespace: 'team/it', visibility: 'private' })
  expect((await api.call(mary, 'GET /projects/mary%2Fit')).statusCode).toBe(301)
  await addProject(api, mary, { name: 'it' })
  expect((await move('mary')).json()).toEqual({
    message: 'Failed to transfer project Project with same name or path in target namespace already exists',
  })
  expect((await move(team.id)).statusCode).toBe(400)
})

testAtNight('languages follow the default branch, without vendored files', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const languages = async () => (await api.call(api.root, `GET /projects/${id}/languages`)).json<object>()
  expect(await languages()).toEqual({})
  const files = {
    'a.rb': 'x'.repeat(2),
    'src/b.js': 'y',
    'vendor/c.go': 'z'.repeat(99),
    'd.json': '{}',
    'e.min.js': 'x',
  }
  await push(api, id, files)
  expect(await languages()).toEqual({ Ruby: 66.67, JavaScript: 33.33 })
  const byLanguage = async (name: string) =>
    (await api.call(api.root, `GET /projects?with_programming_language=${name}`)).json<object[]>()
  expect([await byLanguage('ruby'), await byLanguage('go')]).toMatchObject([[{ id }], []])
  await push(api, id, { 'x.py': 'p' })
  expect(await languages()).toEqual({ Python: 100 })
})

testAtNight('a licence is known by its text', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const licence = async () =>
    (await api.call(api.root, `GET /projects/${id}?license=true`)).json<Record<string, unknown>>()
  await push(api, id, {
    LICENSE: 'Permission is hereby granted, free of charge,\nto any person obtaining a copy',
  })
  expect(await licence()).toMatchObject({
    license: { key: 'mit', name: 'MIT License', nickname: null, source_url: null },
    license_url: expect.stringMatching(/\/root\/it\/-\/blob\/main\/LICENSE$/) as string,
  })
  await push(api, id, { 'LICENSE.md': 'Mine alone.' })
  expect(await licence()).toMatchObject({ license: { key: 'other' } })
  await push(api, id, { 'a.txt': '' })
  expect(await licence()).toMatchObject({ license: null, license_url: null })
})

test('a fork requires permission to create projects in the target and accepts another name', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const source = await addProject(api, api.root, { name: 'it', visibility: 'internal', description: 'd' })
  const fork = (params: object, as: Person = mary) => api.call(as, `POST /projects/${source.id}/fork`, params)
  expect((await fork({})).json()).toMatchObject({
    path_with_namespace: 'mary/it',
    visibility: 'internal',
    import_status: 'scheduled',
    description: 'd',
    forked_from_project: { id: source.id },
  })
  const taken = await fork({})
  expect([taken.statusCode, taken.json()]).toEqual([
    409,
    { message: { name: ['has already been taken'], path: ['has already been taken'] } },
  ])
  expect((await fork({ namespace_path: 'root', path: 'x' })).json()).toEqual({
    message: '404 Target Namespace Not Found',
  })
  expect((await fork({ path: 'open', name: 'open', visibility: 'public' })).json()).toEqual({
    message: {
      visibility_level: ['public is not allowed since the fork source project has lower visibility.'],
    },
  })
  expect((await fork({ path: '../x' })).statusCode).toBe(400)
  expect((await api.call(api.root, `GET /projects/${source.id}/forks`)).json()).toHaveLength(1)
  expect((await api.call(api.root, `GET /projects/${source.id}`)).json()).toMatchObject({ forks_count: 1 })
  await api.call(api.root, `PUT /projects/${source.id}`, { forking_access_level: 'disabled' })
  expect((await fork({ path: 'again', name: 'again' })).statusCode).toBe(403)
})

test('the source of a fork is shown only to users who can see it', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const eve = await addPerson(api.database, 'eve')
  const source = await addProject(api, mary, { name: 'secret' })
  const fork = await addProject(api, mary, { name: 'copy', visibility: 'public' })
  await api.call(mary, `POST /projects/${fork.id}/fork/${source.id}`)
  expect((await api.call(mary, `GET /projects/${fork.id}`)).json()).toHaveProperty('forked_from_project')
  expect((await api.call(eve, `GET /projects/${fork.id}`)).json()).not.toHaveProperty('forked_from_project')
  expect((await api.call(mary, `POST /projects/${fork.id}/fork/${source.id}`)).json()).toEqual({
    message: 'Project already forked',
  })
  expect((await api.call(mary, `DELETE /projects/${fork.id}/fork`)).statusCode).toBe(204)
  expect((await api.call(mary, `DELETE /projects/${fork.id}/fork`)).statusCode).toBe(304)
  expect((await api.call(mary, `POST /projects/${fork.id}/fork/none`)).statusCode).toBe(404)
})

test('files that a project deletion failed to delete are deleted later', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  vi.spyOn(api.repositories, 'delete').mockRejectedValueOnce(new Error('no disk'))
  await api.call(api.root, `DELETE /projects/${id}`)
  const removed: number[] = []
  const deps = { database: api.database, logger: createLogger('test', 'silent') }
  await deleteFilesOfDeletedProjects({ ...deps, deleteFiles: () => Promise.reject(new Error('no disk')) })
  await deleteFilesOfDeletedProjects({
    ...deps,
    deleteFiles: async (projectId) => void removed.push(projectId),
  })
  await deleteFilesOfDeletedProjects({
    ...deps,
    deleteFiles: async (projectId) => void removed.push(projectId),
  })
  expect(removed).toEqual([id])
})

test('personal projects are as many as the administrator allows', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  await api.database.updateTable('user').set({ projects_limit: 1 }).where('id', '=', mary.id).execute()
  await addProject(api, mary, { name: 'one' })
  const second = await api.call(mary, 'POST /projects', { name: 'two' })
  expect([second.statusCode, second.json()]).toEqual([
    403,
    { error: ['Your project limit is 1 projects! Please contact your administrator to increase it'] },
  ])
})

test('a project deleted during the update of its statistics is not an error', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const project = await findProject(api.database, id)
  if (!project) throw new Error('There is no project')
  await api.database.deleteFrom('project').execute()
  await updateProjectStatistics({ database: api.database, repositories: api.repositories }, project)
  expect(await api.database.selectFrom('project_measure').selectAll().execute()).toEqual([])
})
