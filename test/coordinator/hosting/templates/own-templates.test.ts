import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { storeSettings } from '../../../../src/coordinator/database/stores/application-setting-store.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { openRepositoryApi, type RepositoryApi, seedDefaultBranch } from '../../support/repository-api.js'

/** A folder with these files. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await tempDir()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

function apiWith(templatesDir: string): Promise<RepositoryApi> {
  return openRepositoryApi(openSqlite, undefined, { templatesDir })
}

async function keysOf({ app }: RepositoryApi, type: string): Promise<string[]> {
  const response = await app.call(undefined, `GET /templates/${type}?per_page=100`)
  return response.json<{ key: string }[]>().map(({ key }) => key)
}

async function contentOf({ app }: RepositoryApi, place: string): Promise<string | number> {
  const response = await app.call(undefined, `GET /templates/${place}`)
  return response.statusCode === 200 ? response.json<{ content: string }>().content : response.statusCode
}

test('templates in templates_dir come beside those of the installation, and replace those of the same name', async () => {
  const templatesDir = await folderWith({
    'Nodejs.gitlab-ci.yml': 'ours: {script: make}',
    'Company/Deploy.gitlab-ci.yml': 'deploy: {script: make deploy}',
    'gitignores/Company.gitignore': '*.local',
    'dockerfiles/Company.Dockerfile': 'FROM company',
    'licenses/company.txt': 'Ours.',
    'notes.txt': 'no template',
  })
  const api = await apiWith(templatesDir)
  const ciFiles = await keysOf(api, 'gitlab_ci_ymls')
  expect(ciFiles).toEqual(expect.arrayContaining(['Company/Deploy', 'Nodejs', 'Python']))
  expect(new Set(ciFiles).size).toBe(ciFiles.length)
  expect(await contentOf(api, 'gitlab_ci_ymls/Nodejs')).toBe('ours: {script: make}')
  expect(await contentOf(api, 'gitlab_ci_ymls/Company%2FDeploy')).toBe('deploy: {script: make deploy}')
  expect(await contentOf(api, 'gitignores/Company')).toBe('*.local')
  expect(await contentOf(api, 'dockerfiles/Company')).toBe('FROM company')
  expect(await contentOf(api, 'licenses/company')).toBe('Ours.')
  const { outside } = api.services.engine
  expect(await outside.readTemplate('Company/Deploy.gitlab-ci.yml')).toBe('deploy: {script: make deploy}')
  expect(await outside.readTemplate('Nodejs.gitlab-ci.yml')).toBe('ours: {script: make}')
  expect(await outside.readTemplate('Python.gitlab-ci.yml')).toContain('script:')
  expect(await outside.listTemplates?.()).toContain('Company/Deploy.gitlab-ci.yml')
})

testAtNight(
  'the project of file_template_project_id gives templates of its default branch, before all others',
  async () => {
    const api = await apiWith(await folderWith({ 'A.gitlab-ci.yml': 'a' }))
    await seedDefaultBranch(api, {
      'gitlab-ci/A.yml': 'a: {script: of the project}',
      'gitlab-ci/deep/B.yml': 'in a folder',
      'gitignore/Ours.gitignore': 'ours',
      'Dockerfile/Ours.dockerfile': 'FROM ours',
      'LICENSE/ours.txt': 'All ours.',
      'README.md': 'no template',
    })
    const { outside } = api.services.engine
    expect(await outside.readTemplate('A.gitlab-ci.yml')).toBe('a')
    await setTemplateProject(api, api.project.id)
    expect(await outside.readTemplate('A.gitlab-ci.yml')).toBe('a: {script: of the project}')
    expect(await keysOf(api, 'gitlab_ci_ymls')).toEqual(expect.arrayContaining(['A', 'Nodejs']))
    expect(await keysOf(api, 'gitlab_ci_ymls')).not.toContain('deep/B')
    expect(await contentOf(api, 'gitignores/Ours')).toBe('ours')
    expect(await contentOf(api, 'dockerfiles/Ours')).toBe('FROM ours')
    expect(await contentOf(api, 'licenses/ours')).toBe('All ours.')
    expect((await api.call('GET /templates/licenses/ours')).json()).toMatchObject({ content: 'All ours.' })
    // A project that is gone has no templates, and breaks no file.
    await setTemplateProject(api, 999_999)
    expect(await outside.readTemplate('A.gitlab-ci.yml')).toBe('a')
  },
)

testAtNight('the key of a template leads to no other file', async () => {
  const templatesDir = await folderWith({
    'inside/.hidden.gitlab-ci.yml': 'hidden',
    'licenses/x.txt': 'x',
    'secret.txt': 'secret',
  })
  const api = await apiWith(join(templatesDir, 'inside'))
  await setTemplateProject(api, api.project.id)
  for (const key of ['../secret', '..%2Fsecret', '.hidden', '%2e%2e%2flicenses%2fx', 'a%00b', 'a//b'])
    for (const type of ['licenses', 'gitlab_ci_ymls'])
      expect([400, 404], `${type}/${key}`).toContain(await contentOf(api, `${type}/${key}`))
  const { outside } = api.services.engine
  for (const name of [
    '../secret.txt',
    '.hidden.gitlab-ci.yml',
    'Nodejs',
    'a'.repeat(5000) + '.gitlab-ci.yml',
  ])
    expect(await outside.readTemplate(name), name).toBeUndefined()
})

async function setTemplateProject({ services: { database } }: RepositoryApi, id: number): Promise<void> {
  const row = { name: 'file_template_project_id', value: JSON.stringify(id), updated_at: 0 }
  await inTransaction(database, (tx) => storeSettings(tx, [row]))
}
