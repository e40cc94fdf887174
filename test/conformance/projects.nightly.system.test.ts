import { expect, test, vi } from 'vitest'

import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { type Gitbeaker, refusalOf, Service } from './support/service.js'

const TAKEN = { name: ['has already been taken'], path: ['has already been taken'] }

const opened = openForFile(() => Service.start())
const openedKeeping = openForFile(() => Service.start({ SWITCHYARD_DELETION_ADJOURNED_PERIOD: '7' }))

test('python-gitlab makes, reads, lists, changes, stars, forks, archives, moves and deletes projects', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  expect(await runPython('projects.py', { url: service.url, token: ann.token })).toEqual({
    statistics: 1,
    topics: ['one', 'two'],
    walked: ['it-0', 'it-1', 'it-2'],
    star_again: { kind: 'GitlabCreateError', status: 304, message: expect.anything() as unknown },
    starrers: ['ann'],
    filled: ['finished', 'main', true],
    forks: ['ann/copy'],
    fork_again: { kind: 'GitlabCreateError', status: 409, message: TAKEN },
    unforked: { kind: 'GitlabDeleteError', status: 304, message: expect.anything() as unknown },
    languages: {},
    events: [['created', 'ann']],
    archived: true,
    refused: { kind: 'GitlabUpdateError', status: 403, message: '403 Forbidden' },
    moved: 'team/it-0',
    change_moved: {
      kind: 'GitlabUpdateError',
      status: 405,
      message: 'Non GET methods are not allowed for moved projects',
    },
    fetches: { total: 0, days: [] },
    gone: { kind: 'GitlabGetError', status: 404, message: '404 Project Not Found' },
    taken: { kind: 'GitlabCreateError', status: 400, message: { ...TAKEN, limit_reached: [] } },
  })
})

test('python-gitlab deletes projects that are kept, and restores them', async () => {
  const service = openedKeeping()
  const ann = await service.addPerson('ann')
  const told = await runPython('kept_projects.py', { url: service.url, token: ann.token })
  expect(told).toEqual({
    marked: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    path: expect.stringMatching(/^ann\/it-deletion_scheduled-\d+$/) as string,
    found: ['it'],
    again: {
      kind: 'GitlabDeleteError',
      status: 400,
      message: 'Project has been already marked for deletion',
    },
    restored: [null, 'ann/it'],
    not_marked: {
      kind: 'GitlabRestoreError',
      status: 400,
      message: 'Project has not been marked for deletion',
    },
    gone: { kind: 'GitlabGetError', status: 404, message: '404 Project Not Found' },
  })
})

test('@gitbeaker/rest deletes projects that are kept, and restores them', async () => {
  const service = openedKeeping()
  const { gitbeaker: api } = await service.addPerson('bob')
  const { id } = await api.Projects.create({ name: 'It' })
  await api.Projects.remove(id)
  const marked = await api.Projects.show(id)
  expect(marked).toMatchObject({ marked_for_deletion_on: expect.stringMatching(/^\d{4}-/) as string })
  await api.Projects.restore(id)
  expect(await api.Projects.show(id)).toMatchObject({ path_with_namespace: 'bob/it' })
  expect(await refusalOf(api.Projects.restore(id))).toEqual({
    status: 400,
    description: 'Project has not been marked for deletion',
  })
  await api.Projects.remove(id)
  const options = { permanentlyRemove: true, fullPath: `bob/it-deletion_scheduled-${id}` }
  await api.Projects.remove(id, options)
  expect(await refusalOf(api.Projects.show(id))).toMatchObject({ status: 404 })
})

/** Until a repository is filled. */
async function filled(gitbeaker: Gitbeaker, id: number) {
  return vi.waitFor(
    async () => {
      const project = await gitbeaker.Projects.show(id)
      expect(['finished', 'failed']).toContain(project.import_status)
      return project
    },
    { timeout: 30_000, interval: 20 },
  )
}

test('@gitbeaker/rest makes, reads, lists, changes, stars, forks, archives, moves and deletes projects', async () => {
  const service = opened()
  const { gitbeaker: api } = await service.addPerson('bob')
  const made = await api.Projects.create({ name: 'It', initializeWithReadme: true })
  await api.Projects.create({ name: 'Other' })
  const changed = await api.Projects.edit(made.id, { description: 'Changed', topics: ['one'] })
  expect(changed).toMatchObject({ description: 'Changed', topics: ['one'] })
  const walked = await api.Projects.all({ owned: true, orderBy: 'id', sort: 'asc', perPage: 1 })
  expect(walked.map(({ path }) => path)).toEqual(['it', 'other'])
  expect(await api.Projects.star(made.id)).toMatchObject({ star_count: 1 })
  expect(await api.Projects.allStarrers(made.id)).toMatchObject([{ user: { username: 'bob' } }])
  expect(await api.Events.all({ projectId: made.id })).toMatchObject([
    { action_name: 'created', author_username: 'bob' },
  ])
  const fork = await api.Projects.fork(made.id, { name: 'Copy', path: 'copy' })
  expect(fork).toMatchObject({ forked_from_project: { id: made.id } })
  expect(await filled(api, fork.id)).toMatchObject({ import_status: 'finished', default_branch: 'main' })
  expect(await api.Projects.allForks(made.id)).toMatchObject([{ id: fork.id }])
  expect(await refusalOf(api.Projects.fork(made.id, { name: 'Copy', path: 'copy' }))).toMatchObject({
    status: 409,
  })
  await api.Projects.removeForkRelationship(fork.id)
  await api.Projects.createForkRelationship(fork.id, made.id)
  expect(await api.Projects.show(fork.id)).toMatchObject({ forked_from_project: { id: made.id } })
  expect(await api.Projects.showLanguages(made.id)).toEqual({})
  expect(await api.Projects.archive(made.id)).toMatchObject({ archived: true })
  expect(await refusalOf(api.Projects.edit(made.id, { description: 'x' }))).toMatchObject({ status: 403 })
  expect(await api.Projects.unarchive(made.id)).toMatchObject({ archived: false })
  const group = await api.Groups.create('Team', 'crew')
  expect(await api.Projects.transfer(made.id, group.id)).toMatchObject({ path_with_namespace: 'crew/it' })
  expect(await api.Projects.show('bob/it')).toMatchObject({ path_with_namespace: 'crew/it' })
  await api.Projects.remove(made.id)
  expect(await refusalOf(api.Projects.show(made.id))).toEqual({
    status: 404,
    description: '404 Project Not Found',
  })
  expect(await api.Projects.show(fork.id)).not.toHaveProperty('forked_from_project')
})
