import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createGroup } from '../../../../src/coordinator/accounts/groups/groups.js'
import { updateNamespace } from '../../../../src/coordinator/database/stores/namespace-store.js'
import { deleteOrphanedGroupWikis } from '../../../../src/coordinator/hosting/wikis/delete-orphans.js'
import { headOfWiki } from '../../../../src/coordinator/hosting/wikis/head-of-wiki.js'
import { createPage } from '../../../../src/coordinator/hosting/wikis/wikis.js'
import { groupWikiDeps } from '../../../../src/coordinator/start/group-wiki-deps.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { commit, git, gitOk } from '../../../support/git-client.js'
import { tempDir } from '../../../support/temp-dir.js'
import { planningSceneForFile } from '../../planning/support.js'
import { addMember, gitServerForFile } from '../repositories/git-server.js'

const openScene = planningSceneForFile()
const startGitServer = gitServerForFile()
const LIVE = new AbortController().signal

describeOnDatabase('the wiki of a group', (open) => {
  test('has pages of its own, for those who have the role in the group', async () => {
    const { ok, call, person, services, G, P } = await openScene(open)
    const [visitor, developer] = [await person('visitor'), await person('developer', G, 30)]
    const W = `${G}/wikis`
    const home = { format: 'markdown', slug: 'home', title: 'home', content: '# A', encoding: 'UTF-8' }
    expect(await call(`POST ${W}`, { title: 'home', content: '# A' }, visitor)).toMatchObject([403, {}])
    expect(await call(`POST ${W}`, { title: 'home', content: '# A' }, developer)).toEqual([201, home])
    expect(await ok(`GET ${W}`, undefined, visitor)).toEqual([
      { format: 'markdown', slug: 'home', title: 'home' },
    ])
    expect(await ok(`GET ${P}/wikis`)).toEqual([])
    expect(await ok(`PUT ${W}/home`, { title: 'Setup/Start', content: '# B' }, developer)).toMatchObject({
      slug: 'Setup/Start',
      content: '# B',
    })
    const at = `${W}/Setup%2FStart`
    expect(await ok(`GET ${at}?render_html=true`, undefined, visitor)).toMatchObject({
      content: '<h1>B</h1>\n',
    })
    const groups = await ok<{ statistics: { wiki_size: number } }[]>('GET /groups?statistics=true')
    expect(groups[0]?.statistics.wiki_size).toBeGreaterThan(0)
    expect(await call(`DELETE ${at}`, undefined, developer)).toMatchObject([403, {}])
    expect((await call(`DELETE ${at}`))[0]).toBe(204)
    expect(await ok(`GET ${W}`)).toEqual([])
    const groupId = Number(G.split('/').at(-1))
    await ok(`DELETE ${G}`)
    // A deletion that takes long continues after the response.
    await expect
      .poll(() => headOfWiki(services.groupWikiRepositories, groupId), { timeout: 60_000 })
      .toBeUndefined()
  })

  test('is no longer there when a group was deleted while it was created', async () => {
    const { ok, services, G } = await openScene(open)
    const groupId = Number(G.split('/').at(-1))
    await ok(`POST ${G}/wikis`, { title: 'home', content: 'a' })
    await services.groupWikiRepositories.createOnce(groupId + 1)
    await deleteOrphanedGroupWikis(services)
    expect(await ok(`GET ${G}/wikis`)).toHaveLength(1)
    await services.database.deleteFrom('group_wiki').execute()
    await deleteOrphanedGroupWikis(services)
    expect(await ok(`GET ${G}/wikis`)).toEqual([])
  })
})

test('the wiki of a group is cloned by those who read it, pushed by those who write it, and stays when it is renamed', async () => {
  const server = await startGitServer()
  const { services, owner, database } = server
  const guest = await addMember(server, 'gus', 10)
  const given = { name: 'Team', path: 'team', visibility: 'private' } as const
  const group = await createGroup(services, given, owner)
  const deps = groupWikiDeps(services)
  await createPage(deps, { owner: group, user: owner, signal: LIVE }, { title: 'home', content: '# A' })
  const address = (token = server.ownerToken, path = 'team') =>
    server.remote(token).replace('ada/app.git', `${path}.wiki.git`)
  const clone = join(await tempDir(), 'clone')
  await gitOk('/', 'clone', '--quiet', address(), clone)
  expect(await gitOk(clone, 'ls-files')).toBe('home.md')
  const refused = await git('/', 'ls-remote', address(guest))
  expect(refused.exitCode).toBe(128)
  await commit(clone, { 'b.md': 'b' })
  await gitOk(clone, 'push', '--quiet', address(), 'HEAD:main')
  const head = await gitOk(clone, 'rev-parse', 'HEAD')
  const { head_sha, size } = await database.selectFrom('group_wiki').selectAll().executeTakeFirstOrThrow()
  expect([head_sha, size > 0]).toEqual([head, true])
  await updateNamespace(database, group.id, { visibility: 'public' })
  expect(await gitOk('/', 'ls-remote', address(guest), 'main')).toContain(head)
  const forbidden = await git(clone, 'push', address(guest), 'HEAD:main')
  expect(forbidden.output).toContain('You are not allowed to write to this wiki.')
  expect((await git('/', 'ls-remote', address(server.ownerToken, String(group.id)))).exitCode).toBe(128)
  await updateNamespace(database, group.id, { path: 'crew', full_path: 'crew' })
  expect(await gitOk('/', 'ls-remote', address(server.ownerToken, 'crew'), 'main')).toContain(head)
})
