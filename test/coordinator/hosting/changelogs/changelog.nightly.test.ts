import { expect, test } from 'vitest'

import { runGit } from '../../../../src/git/run-git.js'
import {
  addRepositoryMember,
  type RepositoryApi,
  repositoryApiForFile,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'
import { addPerson } from '../../support/test-app.js'

const openRepositoryApi = repositoryApiForFile()

const CHANGELOG = '/repository/changelog'
const DATE = 'date=2024-05-06T07:08:09Z'

/** `main` with the tag v1.0.0 on its first commit. */
async function released(files: Record<string, string> = {}): Promise<RepositoryApi> {
  const api = await openRepositoryApi()
  const sha = await seedDefaultBranch(api, { 'README.md': '# App\n', ...files })
  await api.git('tag', 'v1.0.0', sha)
  return api
}

function commit(api: RepositoryApi, title: string, trailers: string): Promise<string> {
  return seedCommit(api, { [title]: title }, { message: `${title}\n\n${trailers}` })
}

async function notes(api: RepositoryApi, query: string): Promise<string> {
  return (await api.call(`GET ${CHANGELOG}?${DATE}&${query}`)).json<{ notes: string }>().notes
}

test('a changelog has the commits with the trailer since the last release, by category', async () => {
  const api = await released()
  const first = await commit(api, 'Add a', 'Changelog: added')
  await commit(api, 'Tidy', 'Signed-off-by: x')
  const second = await commit(api, 'Add b', 'Changelog: added')
  const fixed = await commit(api, 'Fix c', 'Changelog: fixed')
  const url = `http://localhost/ada/app/-/commit`
  const text = await notes(api, 'version=1.1.0')
  expect(text.replaceAll(/http:\/\/[^/]+/g, 'http://localhost')).toBe(`## 1.1.0 (2024-05-06)

### fixed (1 change)

- [Fix c](${url}/${fixed})

### added (2 changes)

- [Add b](${url}/${second})
- [Add a](${url}/${first})
`)
  expect(await notes(api, `version=1.1.0&from=${first}&to=${second}`)).toContain('### added (1 change)')
  expect(await notes(api, 'version=1.1.0&trailer=Signed-off-by')).toContain('### x (1 change)')
  expect(await notes(api, 'version=1.1.0&trailer=constructor')).toBe('## 1.1.0 (2024-05-06)\n\nNo changes.\n')
})

test('a changelog leaves out a commit that its range reverts, but not one whose revert is reverted', async () => {
  const api = await released()
  const kept = await commit(api, 'Kept', 'Changelog: added')
  const gone = await commit(api, 'Gone', 'Changelog: added')
  const back = await commit(api, 'Revert "Kept"', `This reverts commit ${kept}.\n\nChangelog: fixed`)
  await commit(api, 'Revert "Gone"', `This reverts commit ${gone}.\n\nChangelog: fixed`)
  await commit(api, 'Revert the revert', `This reverts commit ${back}.`)
  const text = await notes(api, 'version=1.1.0')
  expect([...text.matchAll(/^- \[(.*)\]/gm)].map(([, title]) => title)).toEqual(['Revert "Gone"', 'Kept'])
})

test('a changelog follows the configuration of the project', async () => {
  const config = `---
date_format: '%-d %B %Y'
tag_regex: '^rel-(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$'
categories:
  fixed: Bug fixes
  added: Features
template: |
  {% each categories %}
  * {{ title }} {{ count }}
  {% each entries %}
  ** {{ title }} {{ commit.reference }} {{ commit.trailers.Issue }}
  {% end %}
  {% end %}
`
  const api = await released({
    '.gitlab/changelog_config.yml': config,
    'other.yml': 'categories: { added: X }',
  })
  await api.git('tag', 'rel-1.0.0', 'main')
  const sha = await commit(api, 'Add a', 'Changelog: added\nIssue: 7')
  expect(await notes(api, 'version=1.1.0')).toBe(
    `## 1.1.0 (6 May 2024)\n\n* Features 1\n** Add a ada/app@${sha} 7\n`,
  )
  expect(await notes(api, 'version=1.1.0&config_file=other.yml')).toContain('### X (1 change)')
  expect(await notes(api, 'version=1.1.0&config_file=none.yml')).toContain('### added (1 change)')
})

test('authors who are no members are named, and members of included groups that the caller may see', async () => {
  const config = 'include_groups: [open, hidden]\n'
  const api = await released({ '.gitlab/changelog_config.yml': config })
  const { database } = api
  const reader = await addRepositoryMember(api, 'reader', 20)
  const people = { visitor: undefined, insider: 'open', secret: 'hidden' }
  for (const [name, group] of Object.entries(people)) {
    const person = await addPerson(database, name)
    if (!group) continue
    await database
      .insertInto('member')
      .values({ project_id: api.project.id, user_id: person.id, access_level: 30, created_at: 0 })
      .execute()
    const visibility = group === 'open' ? 'public' : 'private'
    const created = await api.services.database
      .insertInto('namespace')
      .values({ kind: 'group', name: group, path: group, full_path: group, visibility, created_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await database
      .insertInto('group_tree')
      .values({ group_id: created.id, ancestor_id: created.id })
      .execute()
    await database
      .insertInto('member')
      .values({ group_id: created.id, user_id: person.id, access_level: 30, created_at: 0 })
      .execute()
  }
  const users = await database.selectFrom('user').select(['username', 'email']).execute()
  for (const { username, email } of users.filter((user) => Object.hasOwn(people, user.username))) {
    const date = '2024-05-01T10:00:00+00:00'
    await seedCommit(api, { [username]: 'x' }, { message: `By ${username}\n\nChangelog: added`, date })
    await api.git('update-ref', 'refs/heads/main', await amended(api, email))
  }
  const text = (await api.call(`GET ${CHANGELOG}?version=1.1.0`, undefined, reader)).json<{ notes: string }>()
  const credits = [...text.notes.matchAll(/\[By (\w+)\].*?\)(.*)$/gm)].map(
    ([, name = '', credit = '']) => name + credit,
  )
  expect(credits.toSorted()).toEqual(['insider by @insider', 'secret', 'visitor by @visitor'])
})

/** The head of `main` as a commit of another author. */
async function amended(api: RepositoryApi, email: string): Promise<string> {
  const text = await api.git('cat-file', 'commit', 'main')
  const file = text.replace(/^author .*<.*>/m, `author X <${email}>`)
  const args = [
    '--git-dir',
    api.repositories.path(api.project.id),
    'hash-object',
    '-t',
    'commit',
    '-w',
    '--stdin',
  ]
  return (await runGit(args, { input: `${file}\n` })).trim()
}

test('a merge request is named to those who may read merge requests', async () => {
  const api = await released()
  const start = await api.git('rev-parse', 'main')
  const head = await commit(api, 'Add a', 'Changelog: added')
  const { database, project, owner } = api
  const times = { created_at: 0, updated_at: 0, merged_at: 1 }
  const request = await database
    .insertInto('merge_request')
    .values({
      project_id: project.id,
      source_project_id: project.id,
      iid: 3,
      title: 'x',
      state: 'merged',
      source_branch: 'a',
      target_branch: 'main',
      author_id: owner.id,
      head_sha: head,
      ...times,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database
    .insertInto('merge_request_version')
    .values({
      merge_request_id: request.id,
      head_sha: head,
      base_sha: start,
      start_sha: start,
      commit_count: 1,
      file_count: 1,
      created_at: 0,
    })
    .execute()
  expect(await notes(api, 'version=1.1.0')).toMatch(
    /\(\[merge request\]\(.*\/ada\/app\/-\/merge_requests\/3\)\)/,
  )
  const off = { merge_requests_access_level: 'disabled' } as const
  await database.updateTable('project').set(off).where('id', '=', project.id).execute()
  expect(await notes(api, 'version=1.1.0')).not.toContain('merge request')
})

test('a section is committed to the changelog, once', async () => {
  const api = await released({ 'CHANGELOG.md': '# Log\n\n## 1.0.0 (2024-01-01)\n\n- first\n' })
  await commit(api, 'Add a', 'Changelog: added')
  const body = { version: '1.1.0', date: '2024-05-06T07:08:09Z' }
  const made = await api.call(`POST ${CHANGELOG}`, body)
  expect([made.statusCode, made.json()]).toEqual([200, 200])
  expect(await api.git('show', 'main:CHANGELOG.md')).toMatch(
    /^# Log\n\n## 1\.1\.0 \(2024-05-06\)\n\n### added \(1 change\)\n\n- \[Add a\]\(.*\)\n\n## 1\.0\.0 \(2024-01-01\)\n\n- first$/,
  )
  expect(await api.git('log', '-1', '--format=%an: %s', 'main')).toBe('ada: Add changelog for version 1.1.0')
  expect(api.pushed).toMatchObject([{ ref: 'main' }])
  expect((await api.call(`POST ${CHANGELOG}`, body)).statusCode).toBe(200)
  expect(api.pushed).toHaveLength(1)
  const other = { ...body, branch: 'main', file: 'docs/NEWS', message: 'News', from: 'main~1' }
  expect((await api.call(`POST ${CHANGELOG}`, other)).statusCode).toBe(200)
  expect(await api.git('show', 'main:docs/NEWS')).toBe('## 1.1.0 (2024-05-06)\n\nNo changes.')
  expect(await api.git('log', '-1', '--format=%s', 'main')).toBe('News')
})

test('a section is not committed by those who may not push to the branch', async () => {
  const api = await released()
  const developer = await addRepositoryMember(api, 'dev', 30)
  await api.call('POST /protected_branches', { name: 'main', push_access_level: 40 })
  const refused = await api.call(`POST ${CHANGELOG}`, { version: '1.1.0' }, developer)
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    { message: '403 Forbidden - You are not allowed to commit a changelog on this branch' },
  ])
  expect(api.pushed).toEqual([])
})

test('what makes a changelog impossible is named', async () => {
  const api = await released({
    'bad.yml': 'template: "{% each %}"',
    'list.yml': 'categories: [a]',
    'regex.yml': 'tag_regex: "("',
    'yaml.yml': 'a: [',
  })
  const problemOf = async (query: string): Promise<unknown> => {
    const { statusCode, body } = await api.call(`GET ${CHANGELOG}?${query}`)
    return `${statusCode} ${body}`
  }
  const failed = (text: string) => `422 {"message":"Failed to generate the changelog: ${text}`
  expect(await problemOf('')).toBe('400 {"error":"version is missing"}')
  expect(await problemOf('version=1')).toMatch(/^400 \{"error":"version/)
  expect(await problemOf('version=1.0.0')).toBe(
    failed('The commit start range is unspecified, and no previous tag could be found to use instead"}'),
  )
  expect(await problemOf('version=1.1.0&from=none')).toBe(failed('The revision none does not exist"}'))
  expect(await problemOf('version=1.1.0&to=--all')).toBe(failed('The revision --all does not exist"}'))
  expect(await problemOf('version=1.1.0&config_file=bad.yml')).toContain(
    failed('The template has a statement that is not valid'),
  )
  expect(await problemOf('version=1.1.0&config_file=list.yml')).toContain(failed('\\"categories\\" of the'))
  expect(await problemOf('version=1.1.0&config_file=regex.yml')).toContain(failed('The regular expression'))
  expect(await problemOf('version=1.1.0&config_file=yaml.yml')).toContain(failed('The configuration is not'))
  const posted = async (body: object) =>
    (await api.call(`POST ${CHANGELOG}`, { version: '1.1.0', ...body })).body
  expect(await posted({ branch: 'none' })).toContain('The branch none does not exist')
  expect(await posted({ file: '../x' })).toContain('../x is not a valid path of a file')
  expect(await posted({ file: 'README.md/x' })).toContain('Failed to generate the changelog')
  expect(api.pushed).toEqual([])
})
