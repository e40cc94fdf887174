import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { Gitlab } from '@gitbeaker/rest'
import { expect, test } from 'vitest'

import { zipOf } from '../coordinator/support/zip.js'
import { openPostgres, openSqlite } from '../support/databases.js'
import { git } from '../support/git-client.js'
import { openForFile } from '../support/lifetime.js'
import { tempDir } from '../support/temp-dir.js'
import { runPython } from './support/python.js'
import { type Person, refusalOf, type ServedProject, Service } from './support/service.js'

const BUILD = 'build: { script: [make], artifacts: { paths: [dist] } }'
const USE = 'use: { script: [use] }'

/** A library whose job has left an artifact, and a job that runs in the project which wants it. */
interface Scene {
  service: Service
  /** Owns both projects; the job runs for her. */
  ann: Person
  library: ServedProject
  app: ServedProject
  built: number
  job: number
  token: string
}

const opened = openForFile(() => Service.start())

async function openScene(service: Service): Promise<Scene> {
  const ann = await service.addPerson('ann')
  const runner = await service.addRunner()
  const library = await service.addProject({ '.gitlab-ci.yml': BUILD, 'lib.txt': 'shared\n' }, ann)
  const job = await runner.takeJob()
  await runner.upload(job, await buffer(await zipOf({ 'dist/a.txt': 'first' })))
  await runner.update(job, 'success')
  const app = await service.addProject({ '.gitlab-ci.yml': USE }, ann)
  const running = await runner.takeJob()
  const token = running.variables.find(({ key }) => key === 'CI_JOB_TOKEN')?.value ?? ''
  return { service, ann, library, app, built: job.id, job: running.id, token }
}

/** What the real git client says to cloning with the token of a job. */
async function clone({ service, token }: Scene, path: string) {
  const folder = join(await tempDir(), 'clone')
  const address = `${service.url.replace('//', `//gitlab-ci-token:${token}@`)}/${path}.git`
  const { exitCode, output } = await git('/', 'clone', '--quiet', address, folder)
  const files = exitCode === 0 ? (await git(folder, 'ls-files')).output : ''
  return { exitCode, output, files }
}

// python-gitlab 3.12 has no calls for the scope.
test('@gitbeaker/rest manages the job-token allowlist', async () => {
  const service = opened()
  const { gitbeaker: api } = await service.addPerson('bob')
  const { id } = await api.Projects.create({ name: 'Library' })
  const other = await api.Projects.create({ name: 'App' })
  const group = await api.Groups.create('Team', 'team')
  const scopes = api.ProjectJobTokenScopes
  expect(await scopes.show(id)).toEqual({ inbound_enabled: true, outbound_enabled: false })
  await scopes.edit(id, false)
  expect(await scopes.show(id)).toMatchObject({ inbound_enabled: false })

  const added = { source_project_id: id, target_project_id: other.id }
  expect(await scopes.addToInboundAllowList(id, other.id)).toEqual(added)
  expect(await scopes.showInboundAllowList(id)).toMatchObject([
    { id, name: 'Library' },
    { id: other.id, name: 'App', path_with_namespace: 'bob/app' },
  ])
  expect(await refusalOf(scopes.addToInboundAllowList(id, other.id))).toEqual({
    status: 409,
    description: 'The project is already on the job token allowlist',
  })
  await scopes.removeFromInboundAllowList(id, other.id)
  expect(await scopes.showInboundAllowList(id)).toMatchObject([{ id }])

  const allowed = { source_project_id: id, target_group_id: group.id }
  expect(await scopes.addToGroupsAllowList(id, group.id)).toEqual(allowed)
  expect(await scopes.showGroupsAllowList(id)).toEqual([
    { id: group.id, name: 'Team', web_url: `${service.url}/groups/team` },
  ])
  await scopes.removeFromGroupsAllowList(id, group.id)
  expect(await scopes.showGroupsAllowList(id)).toEqual([])
})

test.each([
  ['SQLite', undefined],
  ['PostgreSQL', openPostgres],
])('a job fetches code and artifacts of a project that allows it, on %s', async (_name, open) => {
  const { settings } = await (open ?? openSqlite)()
  const url = settings.dialect === 'postgres' ? settings.url : undefined
  const service = await Service.start(url === undefined ? {} : { SWITCHYARD_DATABASE_URL: url })
  const scene = await openScene(service)
  const { ann, library, app, built, token } = scene
  const scopes = ann.gitbeaker.ProjectJobTokenScopes
  const asJob = new Gitlab({ host: service.url, jobToken: token })
  const archive = () => asJob.JobArtifacts.downloadArchive(library.id, { jobId: built })
  const why = `This project does not accept job tokens of project ${app.id}: a maintainer can add it to the allowlist with POST /projects/${library.id}/job_token_scope/allowlist`

  async function expectRefusal(): Promise<void> {
    expect(await refusalOf(archive())).toEqual({ status: 403, description: `403 Forbidden - ${why}` })
    const { exitCode, output } = await clone(scene, library.path)
    expect(exitCode).toBe(128)
    expect(output).toContain(`remote: ${why}.`)
  }

  async function expectAccess(): Promise<void> {
    const bytes: unknown = await archive()
    expect(bytes instanceof Blob && bytes.size).toBeGreaterThan(100)
    expect(await clone(scene, library.path)).toMatchObject({ exitCode: 0, files: '.gitlab-ci.yml\nlib.txt' })
  }

  await expectRefusal()
  await scopes.addToInboundAllowList(library.id, app.id)
  await expectAccess()
  await scopes.removeFromInboundAllowList(library.id, app.id)
  await expectRefusal()

  const group = await ann.gitbeaker.Groups.create('Team', 'team')
  await scopes.addToGroupsAllowList(library.id, group.id)
  await expectRefusal()
  await ann.gitbeaker.Projects.transfer(app.id, group.id)
  await expectAccess()
  await scopes.removeFromGroupsAllowList(library.id, group.id)
  await expectRefusal()

  await scopes.edit(library.id, false)
  await expectAccess()
  await service.json('POST', `/users/${ann.id}/block`)
  // Her jobs are over with it.
  expect(await refusalOf(archive())).toEqual({ status: 401, description: '401 Unauthorized' })
  expect((await clone(scene, library.path)).exitCode).toBe(128)
})

test('python-gitlab uses a job token for allowed projects, and reports the refusal of others', async () => {
  const service = opened()
  const { ann, library, app, built, job, token } = await openScene(service)
  const unlisted = await service.addProject(undefined, ann)
  const hidden = await service.addProject()
  await ann.gitbeaker.ProjectJobTokenScopes.addToInboundAllowList(library.id, app.id)
  const input = { library: library.id, unlisted: unlisted.id, hidden: hidden.id, job: built }
  expect(await runPython('job_token_scope.py', { url: service.url, token, ...input })).toEqual({
    library: { files: ['dist/a.txt'], file: 'first', releases: [], tags: [] },
    released: 'v1',
    unlisted: {
      kind: 'GitlabListError',
      status: 403,
      message: expect.stringMatching(/does not accept job tokens of project/) as string,
    },
    hidden: { kind: 'GitlabListError', status: 404, message: '404 Project Not Found' },
  })
  // The audit events of the other project record what the job has done there.
  const events = await service.json<object[]>('GET', `/projects/${library.id}/audit_events`)
  expect(events[0]).toMatchObject({ author_id: ann.id, details: { add: 'release', job_id: job } })
})
