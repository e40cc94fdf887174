import { expect, test, vi } from 'vitest'

import { unpackArchive } from '../coordinator/support/project-archive.js'
import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { type Gitbeaker, refusalOf, Service } from './support/service.js'

const GZIP = '1f8b'

const opened = openForFile(() => Service.start())

test('python-gitlab exports a project and imports it again', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  expect(await runPython('transfer.py', { url: service.url, token: ann.token })).toEqual({
    none: 'none',
    early: { kind: 'GitlabGetError', status: 404, message: '404 Not found' },
    finished: 'finished',
    link: true,
    archive: GZIP,
    whole: true,
    imported: ['scheduled', 'ann/copy', 'The copy'],
    status: 'finished',
    copy: [null, [], 'Said', ['a', 'b']],
    taken: {
      kind: 'GitlabImportError',
      status: 400,
      message: { path: ['has already been taken'], limit_reached: [] },
    },
    overwritten: [true, 'main', []],
    broken: true,
  })
})

/** The archive of a project, once it is made; the client itself asks for its state six times a minute at most. */
async function exported(service: Service, api: Gitbeaker, id: number): Promise<Blob> {
  expect(await api.ProjectImportExports.scheduleExport(id, { url: '' })).toEqual({ message: '202 Accepted' })
  await vi.waitFor(
    async () => {
      const status = await service.json<{ export_status: string }>('GET', `/projects/${id}/export`)
      expect(status.export_status).toBe('finished')
    },
    { timeout: 60_000, interval: 50 },
  )
  expect(await api.ProjectImportExports.showExportStatus(id)).toMatchObject({ export_status: 'finished' })
  return api.ProjectImportExports.download(id)
}

test('@gitbeaker/rest exports a project', async () => {
  const service = opened()
  const { gitbeaker: api } = await service.addPerson('bea')
  const { id } = await api.Projects.create({ name: 'It', initializeWithReadme: true })
  const archive = await exported(service, api, id)
  expect(
    Buffer.from(await archive.arrayBuffer())
      .subarray(0, 2)
      .toString('hex'),
  ).toBe(GZIP)
  const elsewhere = api.ProjectImportExports.scheduleExport(id, { url: 'https://example.com/take' })
  expect(await refusalOf(elsewhere)).toMatchObject({ status: 400 })
  const { gitbeaker: stranger } = await service.addPerson('bob')
  expect(await refusalOf(stranger.ProjectImportExports.download(id))).toMatchObject({ status: 404 })
})

/** When an import is over. */
async function imported(service: Service, id: number) {
  return vi.waitFor(
    async () => {
      const status = await service.json<{ import_status: string }>('GET', `/projects/${id}/import`)
      expect(['finished', 'failed']).toContain(status.import_status)
      return status
    },
    { timeout: 60_000, interval: 50 },
  )
}

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
const SECRETS = ['hunter2hunter2', 'letmein-hook', 'letmein-schedule', 'user:pass', 'letmein-header']

test('@gitbeaker/rest moves a project with all that belongs to it and none of its secrets', async () => {
  const service = opened()
  const cid = await service.addPerson('cid')
  const { gitbeaker: api } = cid
  const { id } = await service.addProject({ 'README.md': 'Hello\n' }, cid, { build_timeout: 1200 })
  await api.ProjectVariables.create(id, 'PASSWORD', 'hunter2hunter2')
  await api.Tags.create(id, 'v1', 'main')
  await api.ProjectLabels.create(id, 'bug', '#123456', { description: 'Broken', priority: 2 })
  const { id: milestone } = await api.ProjectMilestones.create(id, 'Summer', { dueDate: '2030-08-01' })
  await api.ProjectMilestones.edit(id, milestone, { stateEvent: 'close' })
  await api.ProjectReleases.create(id, {
    tagName: 'v1',
    name: 'One',
    description: 'Notes',
    releasedAt: '2020-01-02T03:04:05.000Z',
    milestones: ['Summer'],
    assets: { links: [{ name: 'a', url: 'https://example.com/a', filepath: '/a' }] },
  })
  await service.json('POST', `/projects/${id}/protected_tags`, { name: 'v*', create_access_level: 0 }, cid)
  await api.Environments.create(id, 'staging', {
    externalUrl: 'https://staging.example.com',
    tier: 'staging',
  })
  await api.ProjectBadges.add(id, 'https://example.com', 'https://example.com/a.svg')
  await api.DeployKeys.create(id, 'deploy', KEY)
  const schedule = await api.PipelineSchedules.create(id, 'nightly', 'main', '0 1 * * *')
  await api.PipelineScheduleVariables.create(id, schedule.id, 'TOKEN', 'letmein-schedule')
  await service.json('POST', `/projects/${id}/hooks`, {
    url: 'https://user:pass@hooks.example.com/here',
    token: 'letmein-hook',
    custom_headers: [{ key: 'X-Key', value: 'letmein-header' }],
    tag_push_events: true,
  })
  await api.Projects.uploadForReference(id, { content: new Blob(['hello']), filename: 'note.txt' })

  const archive = await exported(service, api, id)
  const unpacked = await unpackArchive(Buffer.from(await archive.arrayBuffer()))
  const bytes = Buffer.concat([...unpacked.values()]).toString('latin1')
  for (const secret of [...SECRETS, cid.token]) expect(bytes).not.toContain(secret)

  const file = { content: archive, filename: 'it.tar.gz' }
  const made = await api.ProjectImportExports.import(file, 'copy', { name: 'The copy' })
  expect(made).toMatchObject({ import_status: 'scheduled', path_with_namespace: 'cid/copy' })
  expect(await imported(service, made.id)).toMatchObject({
    import_status: 'finished',
    import_type: 'gitlab_project',
    failed_relations: [],
  })
  expect(await api.ProjectImportExports.showImportStatus(made.id)).toMatchObject({
    import_status: 'finished',
  })
  expect(await api.Projects.show(made.id)).toMatchObject({
    visibility: 'private',
    default_branch: 'main',
    build_timeout: 1200,
    name: 'The copy',
  })
  expect(await api.ProjectVariables.all(made.id)).toEqual([])
  expect(await api.ProjectReleases.all(made.id)).toMatchObject([
    {
      tag_name: 'v1',
      name: 'One',
      description: 'Notes',
      released_at: '2020-01-02T03:04:05.000Z',
      milestones: [{ title: 'Summer', due_date: '2030-08-01', state: 'closed', project_id: made.id }],
      assets: {
        links: [
          {
            name: 'a',
            url: 'https://example.com/a',
            direct_asset_url: expect.stringMatching(/\/a$/) as string,
          },
        ],
      },
    },
  ])
  expect(await api.ProjectLabels.all(made.id)).toMatchObject([
    { name: 'bug', color: '#123456', description: 'Broken', priority: 2 },
  ])
  expect(await api.ProtectedBranches.all(made.id)).toMatchObject([{ name: 'main' }])
  expect(await api.ProtectedTags.all(made.id)).toMatchObject([
    { name: 'v*', create_access_levels: [{ access_level: 0 }] },
  ])
  expect(await api.Environments.all(made.id)).toMatchObject([
    { name: 'staging', external_url: 'https://staging.example.com', tier: 'staging', state: 'available' },
  ])
  expect(await api.ProjectBadges.all(made.id)).toMatchObject([{ image_url: 'https://example.com/a.svg' }])
  expect(await api.DeployKeys.all({ projectId: made.id })).toMatchObject([{ title: 'deploy', key: KEY }])
  const [copied] = await api.PipelineSchedules.all(made.id)
  expect(copied).toMatchObject({ description: 'nightly', ref: 'refs/heads/main', active: false })
  const whole = await api.PipelineSchedules.show(made.id, copied?.id ?? 0)
  expect(whole).toMatchObject({ owner: { username: 'cid' }, variables: [] })
  expect(await api.ProjectHooks.all(made.id)).toMatchObject([
    {
      url: 'https://hooks.example.com/here',
      tag_push_events: true,
      push_events: true,
      alert_status: 'disabled',
      custom_headers: [],
    },
  ])
  expect(await service.json('GET', `/projects/${made.id}/uploads`)).toMatchObject([
    { filename: 'note.txt', size: 5 },
  ])
})
