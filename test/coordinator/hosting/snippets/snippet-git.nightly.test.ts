import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createSnippet } from '../../../../src/coordinator/hosting/snippets/snippets.js'
import { commit, git, gitOk } from '../../../support/git-client.js'
import { tempDir } from '../../../support/temp-dir.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { addMember, type GitServer, startGitServer } from '../repositories/git-server.js'

async function addSnippet({ services, owner, project }: GitServer, ofProject: boolean): Promise<number> {
  const deps = {
    database: services.database,
    snippetRepositories: services.snippetRepositories,
    externalUrl: EXTERNAL_URL,
  }
  const origin = { project: ofProject ? project : undefined, userAgent: 'test', address: '127.0.0.1' }
  const values = { title: 'Notes', file_name: 'a.md', content: '# A' }
  return (await createSnippet(deps, owner, values, origin, new AbortController().signal)).id
}

test.each([
  ['personal', false],
  ['of a project', true],
])(
  'a snippet that is %s is cloned by those who see it, and pushed by its author',
  async (_name, ofProject) => {
    const server = await startGitServer()
    const id = await addSnippet(server, ofProject)
    const path = `${ofProject ? 'ada/app/' : ''}snippets/${id}.git`
    const address = (token: string) => server.remote(token).replace('ada/app.git', path)
    const clone = join(await tempDir(), 'clone')
    await gitOk('/', 'clone', '--quiet', address(server.ownerToken), clone)
    expect(await gitOk(clone, 'ls-files')).toBe('a.md')
    await gitOk(clone, 'rm', '--quiet', 'a.md')
    const head = await commit(clone, { 'b.md': '# B' })
    await gitOk(clone, 'push', '--quiet', address(server.ownerToken), 'HEAD:main')
    const row = await server.database.selectFrom('snippet').selectAll().executeTakeFirstOrThrow()
    expect(row.file_name).toBe('b.md')
    expect((await server.services.snippetRepositories.resolveRef(id, 'main'))?.sha).toBe(head)
    // Neither other branches nor its end.
    for (const ref of ['HEAD:other', ':main', 'HEAD:refs/tags/v1']) {
      expect((await git(clone, 'push', address(server.ownerToken), ref)).exitCode).toBe(1)
    }
    const stranger = await addMember(server, 'eve', 0)
    const hidden = await git('/', 'ls-remote', address(stranger))
    expect(hidden.exitCode).toBe(128)
    expect((await git('/', 'ls-remote', address('nothing'))).output).toContain('Authentication failed')
    expect(server.pushed).toEqual([])
  },
)

test('a member clones a private snippet of a project, and only maintainers push it', async () => {
  const server = await startGitServer()
  const id = await addSnippet(server, true)
  const address = (token: string) => server.remote(token).replace('app.git', `app/snippets/${id}.git`)
  const [reporter, maintainer] = [await addMember(server, 'rep', 20), await addMember(server, 'mary', 40)]
  const clone = join(await tempDir(), 'clone')
  await gitOk('/', 'clone', '--quiet', address(reporter), clone)
  await commit(clone, { 'b.md': '# B' })
  const { exitCode, output } = await git(clone, 'push', address(reporter), 'HEAD:main')
  expect([exitCode, output]).toEqual([
    128,
    expect.stringContaining('not allowed to change this snippet') as string,
  ])
  await gitOk(clone, 'push', '--quiet', address(maintainer), 'HEAD:main')
})
