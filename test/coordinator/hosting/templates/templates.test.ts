import { execa } from 'execa'
import { expect, test } from 'vitest'

import { licenseKeyOf } from '../../../../src/coordinator/hosting/licenses.js'
import { INSTALLED_TEMPLATES } from '../../../../src/coordinator/hosting/templates/folder-templates.js'
import { includableTemplates } from '../../../../src/coordinator/hosting/templates/templates.js'
import { sampled, testAtNight } from '../../../support/nightly.js'
import {
  addRepositoryMember,
  type RepositoryApi,
  repositoryApiForFile,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const openRepositoryApi = repositoryApiForFile()

const { listTemplates } = includableTemplates(INSTALLED_TEMPLATES)

interface Key {
  key: string
  name: string
}

/** The JSON of a GET request of nobody. */
async function get<T>({ app }: RepositoryApi, path: string): Promise<T> {
  const response = await app.call(undefined, `GET ${path}`)
  expect(response.statusCode, path).toBe(200)
  return response.json()
}

test.each([
  ['gitignores', 'Node', 'node_modules/'],
  ['dockerfiles', 'Node', 'FROM node'],
  ['gitlab_ci_ymls', 'Nodejs', 'npm ci'],
  ['licenses', 'mit', 'MIT License'],
])('%s are listed and read without signing in', async (type, key, part) => {
  const api = await openRepositoryApi()
  const list = await get<Key[]>(api, `/templates/${type}?per_page=100`)
  const keys = list.map((each) => each.key)
  expect(keys).toContain(key)
  expect(keys).toEqual(keys.toSorted((one, other) => one.localeCompare(other, 'en')))
  for (const each of sampled(keys, 15)) {
    const { name, content } = await get<{ name: string; content: string }>(
      api,
      `/templates/${type}/${encodeURIComponent(each)}`,
    )
    expect([name.length, content.trim()].every(Boolean), each).toBe(true)
  }
  const one = await get<{ content: string }>(api, `/templates/${type}/${key}`)
  expect(one.content).toContain(part)
  const second = await api.app.call(undefined, `GET /templates/${type}?per_page=1&page=2`)
  expect([second.headers['x-total'], second.json()]).toMatchObject([String(keys.length), [{ key: keys[1] }]])
})

test('a key names no file elsewhere', async () => {
  const api = await openRepositoryApi()
  for (const key of ['..%2Fgitignores%2FNode', '..', 'README', 'node', '%00', 'licenses']) {
    for (const type of ['gitignores', 'licenses', 'gitlab_ci_ymls']) {
      const response = await api.app.call(undefined, `GET /templates/${type}/${key}`)
      expect([400, 404], `${type}/${key}`).toContain(response.statusCode)
    }
  }
})

test('every CI template that can be included is listed, with its folder', async () => {
  const api = await openRepositoryApi()
  const list = await get<Key[]>(api, '/templates/gitlab_ci_ymls?per_page=100')
  const files = list.map(({ key }) => `${key}.gitlab-ci.yml`)
  expect(files.toSorted()).toEqual(await listTemplates())
  expect(files).toContain('Pages/Hugo.gitlab-ci.yml')
})

test('every license is recognized by its text in a project', async () => {
  const api = await openRepositoryApi()
  const licenses = await get<{ key: string; content: string }[]>(api, '/templates/licenses?per_page=100')
  expect(licenses.map(({ content }) => licenseKeyOf(content))).toEqual(licenses.map(({ key }) => key))
})

test('every license says what it allows, requires and excludes', async () => {
  const api = await openRepositoryApi()
  interface Facts {
    key: string
    featured: boolean
    description: string | null
    permissions: string[]
    limitations: string[]
  }
  const licenses = await get<Facts[]>(api, '/templates/licenses?per_page=100')
  const poor = licenses.filter(
    ({ description, permissions, limitations }) =>
      description === null || permissions.length === 0 || limitations.length === 0,
  )
  expect(poor).toEqual([])
  expect(licenses.find(({ key }) => key === 'apache-2.0')).toMatchObject({
    featured: true,
    conditions: ['include-copyright', 'document-changes'],
    limitations: ['trademark-use', 'liability', 'warranty'],
  })
})

test('a license has its placeholders filled in, and the popular ones are filtered', async () => {
  const api = await openRepositoryApi()
  const year = new Date().getUTCFullYear()
  const mit = await get<{ content: string }>(api, "/templates/licenses/mit?fullname=Ann%20$%26%20O'Hara")
  expect(mit.content).toContain(`Copyright (c) ${year} Ann $& O'Hara\n`)
  const blank = await get<{ content: string }>(api, '/templates/licenses/mit')
  expect(blank.content).toContain('Copyright (c) <year> <copyright holders>')
  const gpl = await get<{ content: string }>(api, '/templates/licenses/gpl-3.0?project=App&fullname=Ann')
  expect(gpl.content).toContain(`Copyright (C) ${year}  Ann`)
  expect(gpl.content).toContain('App  Copyright (C)')
  const popular = await get<Key[]>(api, '/templates/licenses?popular=true')
  expect(popular.map(({ key }) => key)).toEqual(['apache-2.0', 'gpl-3.0', 'mit'])
  const others = await get<Key[]>(api, '/templates/licenses?popular=false&per_page=100')
  expect(others.map(({ key }) => key)).not.toContain('mit')
})

testAtNight(
  'a project offers the same templates, and those for descriptions of its default branch',
  async () => {
    const api = await openRepositoryApi()
    expect((await api.call('GET /templates/issues')).json()).toEqual([])
    await seedDefaultBranch(api, {
      '.gitlab/issue_templates/Bug.md': '## What happened',
      '.gitlab/issue_templates/Crash report.md': 'Trace',
      '.gitlab/issue_templates/notes.txt': 'no template',
      '.gitlab/issue_templates/deep/Other.md': 'in a folder',
      '.gitlab/merge_request_templates/Default.md': 'Closes #',
    })
    expect((await api.call('GET /templates/issues')).json()).toEqual([
      { key: 'Bug', name: 'Bug' },
      { key: 'Crash report', name: 'Crash report' },
    ])
    const read = async (path: string) => {
      const response = await api.call(`GET /templates/${path}`)
      return [response.statusCode, response.json<object>()]
    }
    expect(await read('issues/Crash%20report')).toEqual([200, { name: 'Crash report', content: 'Trace' }])
    expect(await read('merge_requests/Default')).toEqual([200, { name: 'Default', content: 'Closes #' }])
    expect(await read('licenses/mit?fullname=Ann')).toMatchObject([200, { key: 'mit', name: 'MIT License' }])
    expect(await read('gitignores/Node')).toMatchObject([200, { name: 'Node' }])
    const missing = [404, { message: '404 Template Not Found' }]
    for (const path of ['issues/notes', 'issues/deep%2FOther', 'merge_requests/Bug', 'licenses/x']) {
      expect((await read(path))[0], path).toBe(404)
    }
    expect(await read('issues/Absent')).toEqual(missing)
    expect((await read('other'))[0]).toBe(400)
    const licenses = (await api.call('GET /templates/licenses')).json<Key[]>()
    expect(licenses).toContainEqual({ key: 'mit', name: 'MIT License' })
  },
)

test('templates of the repository are for those who read its files', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api, { '.gitlab/issue_templates/Bug.md': 'Secret' })
  const guest = await addRepositoryMember(api, 'gus', 10)
  const statuses = []
  for (const path of ['gitignores', 'issues', 'issues/Bug']) {
    statuses.push((await api.call(`GET /templates/${path}`, undefined, guest)).statusCode)
  }
  expect(statuses).toEqual([200, 403, 403])
})

testAtNight('a symbolic link is no template', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api, { '.gitlab/issue_templates/Bug.md': 'Bug' })
  const link = '.gitlab/issue_templates/Link.md'
  const data = 'data 9\nREADME.md\n'
  const head = 'commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 1\nx\n'
  const input = `${head}from refs/heads/main^0\nM 120000 inline ${link}\n${data}\n`
  await execa('git', ['fast-import', '--quiet'], { cwd: api.repositories.path(api.project.id), input })
  expect(await api.git('ls-tree', 'main', link)).toContain('120000')
  expect((await api.call('GET /templates/issues')).json()).toEqual([{ key: 'Bug', name: 'Bug' }])
  expect((await api.call('GET /templates/issues/Link')).statusCode).toBe(404)
})
