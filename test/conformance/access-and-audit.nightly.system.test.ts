import { AccessLevel } from '@gitbeaker/rest'
import { expect, test, vi } from 'vitest'

import { runPython } from './support/python.js'
import { type Person, refusalOf, type ServedProject, Service } from './support/service.js'

const CI_FILE = `
child: { trigger: { include: child.yml } }
ship: { stage: deploy, script: [x], when: manual, resource_group: prod }
`
const FILES = {
  '.gitlab-ci.yml': CI_FILE,
  'child.yml': 'inner: { script: [x] }',
}

/** A public project whose pipeline has started another one, and a user who is not a member. */
async function openScene(): Promise<{
  service: Service
  project: ServedProject
  asker: Person
}> {
  const service = await Service.start()
  const project = await service.addProject(FILES, service.root, {
    visibility: 'public',
  })
  const path = `/projects/${project.id}/pipelines/1/bridges`
  await vi.waitFor(
    async () => {
      const [bridge] = await service.json<{ downstream_pipeline: object | null }[]>('GET', path)
      expect(bridge?.downstream_pipeline).toBeTruthy()
    },
    { timeout: 30_000, interval: 50 },
  )
  return { service, project, asker: await service.addPerson('asker') }
}

test('python-gitlab reports statuses, lints, follows bridges, asks for access and reads the trail', async () => {
  const { service, project, asker } = await openScene()
  const given = {
    url: service.url,
    token: service.root.token,
    asker: asker.token,
    project: project.id,
  }
  expect(await runPython('access-and-audit.py', given)).toEqual({
    statuses: {
      done: ['success', 'https://example.com', 12.5],
      names: ['child', 'ext', 'inner', 'ship'],
      again: {
        kind: 'GitlabCreateError',
        status: 400,
        message: expect.stringContaining('Cannot transition status via :enqueue from :pending') as string,
      },
      wrong_state: {
        kind: 'GitlabCreateError',
        status: 400,
        message: 'state does not have a valid value',
      },
      no_commit: {
        kind: 'GitlabCreateError',
        status: 404,
        message: '404 Commit Not Found',
      },
      not_developer: 403,
    },
    bridges: [['child', true]],
    lint: {
      instance: ['valid', 'invalid'],
      committed: true,
      jobs: ['a'],
      nothing: {
        kind: 'GitlabHttpError',
        status: 400,
        message: 'content is missing',
      },
    },
    requests: {
      asked: ['asker'],
      twice: 400,
      not_theirs: 403,
      level: 20,
      left: 0,
    },
    trail: {
      first: ['Project'],
      many: true,
      project: true,
      one: 1,
      kinds: ['CommitStatus', 'Project', 'User'],
      absent: { kind: 'GitlabGetError', status: 404, message: '404 Not found' },
      half: {
        kind: 'GitlabListError',
        status: 400,
        message: 'entity_type is missing',
      },
      not_admin: {
        kind: 'GitlabListError',
        status: 403,
        message: '403 Forbidden',
      },
    },
  })
})

test('@gitbeaker/rest reports statuses, lints, follows bridges, asks for access and reads the trail', async () => {
  const { service, project, asker } = await openScene()
  const { id } = project
  const api = service.root.gitbeaker
  const { id: sha } = await api.Commits.show(id, 'main')
  expect(
    await api.Commits.editStatus(id, sha, 'pending', {
      context: 'ext',
      coverage: 12.5,
    }),
  ).toMatchObject({
    name: 'ext',
    status: 'pending',
    coverage: 12.5,
  })
  expect(await refusalOf(api.Commits.editStatus(id, sha, 'pending', { context: 'ext' }))).toMatchObject({
    status: 400,
  })
  expect(await refusalOf(asker.gitbeaker.Commits.editStatus(id, sha, 'success'))).toMatchObject({
    status: 403,
  })
  expect((await api.Commits.allStatuses(id, sha)).map(({ name }) => name).sort()).toEqual([
    'child',
    'ext',
    'inner',
    'ship',
  ])
  expect(await api.Jobs.allPipelineBridges(id, 1)).toMatchObject([
    { name: 'child', downstream_pipeline: { project_id: id } },
  ])

  expect(await api.Lint.lint(id, 'a: { script: [x] }', { includeJobs: true })).toMatchObject({
    valid: true,
    jobs: [{ name: 'a' }],
  })
  expect(await api.Lint.check(id, {})).toMatchObject({ valid: true, errors: [] })
  expect(await refusalOf(asker.gitbeaker.Lint.check(9999, {}))).toMatchObject({
    status: 404,
  })

  expect(await api.ResourceGroups.all(id)).toMatchObject([{ key: 'prod', process_mode: 'unordered' }])
  expect(await api.ResourceGroups.edit(id, 'prod', { processMode: 'oldest_first' })).toMatchObject({
    process_mode: 'oldest_first',
  })
  expect(await api.ResourceGroups.show(id, 'prod')).toMatchObject({
    process_mode: 'oldest_first',
  })
  expect(await api.ResourceGroups.allUpcomingJobs(id, 'prod')).toEqual([])
  expect(await refusalOf(api.ResourceGroups.show(id, 'none'))).toEqual({
    status: 404,
    description: '404 Resource Group Not Found',
  })

  await asker.gitbeaker.ProjectAccessRequests.request(id)
  expect(await api.ProjectAccessRequests.all(id)).toMatchObject([{ id: asker.id, username: 'asker' }])
  await api.ProjectAccessRequests.approve(id, asker.id, { accessLevel: AccessLevel.REPORTER })
  expect(await api.ProjectMembers.show(id, asker.id)).toMatchObject({
    access_level: 20,
  })
  expect(await refusalOf(api.ProjectAccessRequests.deny(id, asker.id))).toMatchObject({ status: 404 })

  expect((await api.AuditEvents.all({ perPage: 2 })).length).toBeGreaterThan(2)
  expect(await api.AuditEvents.show(1)).toMatchObject({ id: 1, author_id: 1 })
  const ofProject = await api.AuditEvents.all({ projectId: id })
  expect(new Set(ofProject.map(({ entity_id }) => entity_id))).toEqual(new Set([id]))
  expect(await refusalOf(asker.gitbeaker.AuditEvents.all())).toMatchObject({
    status: 403,
  })
})

test('the manager of a runner is known, and its tokens are replaced', async () => {
  const service = await Service.start()
  const runner = await service.addRunner()
  await runner.request()
  expect(await service.json('GET', '/runners/1/managers')).toMatchObject([
    {
      system_id: 's_0123456789ab',
      version: '19.3.0',
      platform: 'linux',
      status: 'online',
    },
  ])
  const { token } = await service.json<{ token: string }>('POST', '/runners/1/reset_authentication_token')
  expect((await runner.request()).status).toBe(403)
  const verified = await service.fetch('POST', '/runners/verify', {
    body: { token, system_id: 's_0123456789ab' },
  })
  expect([verified.status, await verified.json()]).toEqual([200, { id: 1, token, token_expires_at: null }])
  const body = { token, system_id: 's_0123456789ab' }
  expect((await service.fetch('DELETE', '/runners/managers', { body })).status).toBe(204)
  expect(await service.json('GET', '/runners/1/managers')).toEqual([])
})
