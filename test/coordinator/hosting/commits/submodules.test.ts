import { expect, test } from 'vitest'

import { runGit } from '../../../../src/git/run-git.js'
import {
  addRepositoryMember,
  openRepositoryApi,
  type RepositoryApi,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const OLD = 'a'.repeat(40)
const NEW = 'b'.repeat(40)
const SUBMODULE = '/repository/submodules/lib%2Fmodules%2Fexample'

/** `main` with a submodule `lib/modules/example` at the commit `OLD`. */
async function withSubmodule(): Promise<RepositoryApi> {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  const change = `M 160000 ${OLD} lib/modules/example\n`
  const head =
    'commit refs/heads/main\ncommitter Ada <ada@example.com> 0 +0000\ndata 1\nx\nfrom refs/heads/main^0\n'
  const cwd = api.repositories.path(api.project.id)
  await runGit(['fast-import', '--quiet', '--done'], { cwd, input: `${head}${change}done\n` })
  return api
}

test('a submodule is moved to another commit, with a commit of the caller', async () => {
  const api = await withSubmodule()
  const before = await api.git('rev-parse', 'main')
  const made = await api.call(`PUT ${SUBMODULE}`, { branch: 'main', commit_sha: NEW })
  expect(made.statusCode).toBe(200)
  const title = `Update submodule lib/modules/example with oid ${NEW}`
  expect(made.json()).toMatchObject({ title, author_name: 'ada', parent_ids: [before], status: null })
  expect(await api.git('ls-tree', 'main', 'lib/modules/example')).toBe(
    `160000 commit ${NEW}\tlib/modules/example`,
  )
  expect(api.pushed).toMatchObject([{ ref: 'main', beforeSha: before }])
  const named = { branch: 'main', commit_sha: OLD, commit_message: 'Back' }
  expect((await api.call(`PUT ${SUBMODULE}`, named)).json()).toMatchObject({ title: 'Back' })
})

test('a submodule that is not there, or there already, is refused with the reason', async () => {
  const api = await withSubmodule()
  const developer = await addRepositoryMember(api, 'dev', 30)
  await api.call('POST /protected_branches', { name: 'main', push_access_level: 40 })
  const refused = async (path: string, body: object, as = api.owner) => {
    const { statusCode, body: text } = await api.call(`PUT /repository/submodules/${path}`, body, as)
    return `${statusCode} ${text}`
  }
  const example = 'lib%2Fmodules%2Fexample'
  const body = { branch: 'main', commit_sha: NEW }
  expect(await refused('README.md', body)).toBe('400 {"message":"Invalid submodule path"}')
  expect(await refused('lib', body)).toBe('400 {"message":"Invalid submodule path"}')
  expect(await refused('..%2Fx', body)).toContain('400 {"message":"Path cannot include directory traversal"')
  expect(await refused(example, { branch: 'main', commit_sha: OLD })).toBe(
    `400 {"message":"The submodule lib/modules/example is already at ${OLD}"}`,
  )
  expect(await refused(example, { branch: 'none', commit_sha: NEW })).toBe(
    '400 {"message":"You can only create or edit files when you are on a branch"}',
  )
  expect(await refused(example, { branch: 'main', commit_sha: 'main' })).toMatch(/^400 .*commit_sha/)
  expect(await refused(example, body, developer)).toBe(
    '400 {"message":"You are not allowed to push into this branch"}',
  )
  expect(api.pushed).toEqual([])
})
