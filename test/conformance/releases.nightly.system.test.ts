import { expect, test } from 'vitest'

import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

const FILES = {
  '.gitlab-ci.yml':
    'build: { script: [make], rules: [{ if: $CI_COMMIT_TAG, when: never }, { when: always }] }',
}

const opened = openForFile(() => Service.start())

test('python-gitlab makes releases with links, checks CI files and reports on commits', async () => {
  const service = opened()
  const project = await service.addProject(FILES)
  const sha = await service.push(project, { ...FILES, a: 'a' })
  const { root, url } = service
  const told = await runPython('releases.py', { url, token: root.token, project: project.id, sha })
  expect(told).toEqual({
    paged: ['v1.2', 'v1.1', 'v1.0'],
    changed: ['First', 5],
    links: ['the notes', 'image'],
    left: ['image'],
    gone: { kind: 'GitlabGetError', status: 404, message: '404 Not Found' },
    taken: { kind: 'GitlabCreateError', status: 409, message: 'Release already exists' },
    no_ref: { kind: 'GitlabCreateError', status: 422, message: 'Ref is not specified' },
    same_link: { kind: 'GitlabCreateError', status: 400, message: { url: ['has already been taken'] } },
    lint: [true, false, true, 'valid'],
    errors: [expect.stringContaining('jobs:build:script config') as string],
    statuses: expect.arrayContaining([['outside', 'success', 12.5]]) as unknown[],
    no_state: { kind: 'GitlabHttpError', status: 400, message: 'state is missing' },
    no_commit: { kind: 'GitlabHttpError', status: 404, message: '404 Commit Not Found' },
  })
})

test('@gitbeaker/rest makes releases with links, checks CI files and reports on commits', async () => {
  const service = opened()
  const project = await service.addProject(FILES)
  const sha = await service.push(project, { ...FILES, a: 'a' })
  const { id } = project
  const { ProjectReleases, ReleaseLinks, Lint, Commits } = service.root.gitbeaker
  for (const tagName of ['v1', 'v2', 'v3']) {
    await ProjectReleases.create(id, {
      tagName,
      name: tagName,
      description: 'notes',
      ref: 'main',
      assets: { links: [{ name: 'image', url: 'https://example.com/i', filepath: '/bin/i' }] },
    })
  }
  expect((await ProjectReleases.all(id, { perPage: 2 })).map((each) => each.tag_name)).toEqual([
    'v3',
    'v2',
    'v1',
  ])
  expect(await ProjectReleases.showLatest(id)).toMatchObject({ tag_name: 'v3' })
  expect(await ProjectReleases.edit(id, 'v1', { name: 'First' })).toMatchObject({ name: 'First' })
  const link = await ReleaseLinks.create(id, 'v1', 'notes', 'https://example.com/notes')
  expect(await ReleaseLinks.edit(id, 'v1', link.id, { name: 'the notes' })).toMatchObject({
    name: 'the notes',
  })
  expect((await ReleaseLinks.all(id, 'v1')).map(({ name }) => name)).toEqual(['the notes', 'image'])
  await ReleaseLinks.remove(id, 'v1', link.id)
  expect(await refusalOf(ReleaseLinks.show(id, 'v1', link.id))).toMatchObject({ status: 404 })
  expect(await refusalOf(ProjectReleases.create(id, { tagName: 'v1', ref: 'main' }))).toEqual({
    status: 409,
    description: 'Release already exists',
  })
  await ProjectReleases.remove(id, 'v1')
  expect(await refusalOf(ProjectReleases.show(id, 'v1'))).toEqual({
    status: 404,
    description: '404 Not Found',
  })

  expect(await Lint.lint(id, 'build: { script: [make] }')).toMatchObject({ valid: true, errors: [] })
  expect(await Lint.check(id, {})).toMatchObject({ valid: true })
  expect(await Commits.editStatus(id, sha, 'success', { name: 'outside' })).toMatchObject({
    sha,
    name: 'outside',
    status: 'success',
  })
  expect((await Commits.allStatuses(id, sha)).map(({ name }) => name)).toContain('outside')
})
