import { expect, test } from 'vitest'

import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listHostingOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

/** The group `team` with a subgroup, and a project in the subgroup that every user sees. */
async function openScene() {
  const services = await openTestServices()
  const app = openTestApp(services, {
    operations: (all, deps) => [...listAccountsOperations(all, deps), ...listHostingOperations(all, deps)],
  })
  const root = await addPerson(services.database, 'root', { admin: true })
  const bob = await addPerson(services.database, 'bob')
  const ok = async (route: string, body?: object): Promise<{ id: number }> => {
    const response = await app.call(root, route, body)
    expect(response.statusCode, `${route}: ${response.body}`).toBeLessThan(300)
    return response.json()
  }
  const visibility = 'public'
  const team = await ok('POST /groups', { name: 'Team', path: 'team', visibility })
  const below = await ok('POST /groups', { name: 'Below', path: 'below', parent_id: team.id, visibility })
  const project = await ok('POST /projects', { name: 'app', namespace_id: below.id, visibility })
  return {
    ok,
    team: team.id,
    below: below.id,
    /** A private project with a file for each of these paths, which contains the name of the project. */
    addTemplates: async (name: string, namespace_id: number, paths: string[]) => {
      const { id } = await ok('POST /projects', { name, namespace_id })
      const actions = paths.map((file_path) => ({ action: 'create', file_path, content: name }))
      const commit = { branch: 'main', commit_message: 'Add templates', actions }
      await ok(`POST /projects/${id}/repository/commits`, commit)
      return id
    },
    choose: (group: number, file_template_project_id: number | null) =>
      ok(`PUT /groups/${group}`, { file_template_project_id }),
    /** The content of a template for the project, as a user who is no member reads it; otherwise the status. */
    read: async (place: string): Promise<unknown> => {
      const response = await app.call(bob, `GET /projects/${project.id}/templates/${place}`)
      return response.statusCode === 200 ? response.json<{ content?: string }>().content : response.statusCode
    },
    list: async (type: string): Promise<string[]> => {
      const response = await app.call(bob, `GET /projects/${project.id}/templates/${type}?per_page=100`)
      return response.json<{ key: string }[]>().map(({ key }) => key)
    },
    readOfInstance: async (place: string) => (await app.call(bob, `GET /templates/${place}`)).statusCode,
  }
}

test('projects of a group have the templates of its template project, those of the nearest group first', async () => {
  const { team, below, addTemplates, choose, read, list, readOfInstance } = await openScene()
  const paths = ['Dockerfile/Ours.dockerfile', 'gitignore/Node.gitignore', 'LICENSE/ours.txt']
  await choose(team, await addTemplates('of-team', team, [...paths, 'gitlab-ci/Deploy.yml']))
  expect(await read('dockerfiles/Ours')).toBe('of-team')
  expect(await read('gitignores/Node')).toBe('of-team')
  expect(await read('licenses/ours')).toBe('of-team')
  expect(await read('gitlab_ci_ymls/Deploy')).toBe('of-team')
  expect(await list('dockerfiles')).toEqual(expect.arrayContaining(['Go', 'Ours']))
  expect(await list('licenses')).toEqual(expect.arrayContaining(['mit', 'ours']))
  expect(await readOfInstance('dockerfiles/Ours')).toBe(404)
  await choose(below, await addTemplates('of-below', below, ['Dockerfile/Ours.dockerfile']))
  expect(await read('dockerfiles/Ours')).toBe('of-below')
  expect(await read('gitlab_ci_ymls/Deploy')).toBe('of-team')
  await choose(below, null)
  expect(await read('dockerfiles/Ours')).toBe('of-team')
})

test('the project of a group that is outside the group, or has left it, gives no templates', async () => {
  const { ok, team, below, addTemplates, choose, read, list } = await openScene()
  const other = await ok('POST /groups', { name: 'Other', path: 'other' })
  const path = 'Dockerfile/Ours.dockerfile'
  for (const outside of [other.id, team]) {
    await choose(below, await addTemplates(`in-${outside}`, outside, [path]))
    expect([await read('dockerfiles/Ours'), (await list('dockerfiles')).includes('Ours')]).toEqual([
      404,
      false,
    ])
  }
  const id = await addTemplates('moves', below, [path])
  await choose(below, id)
  expect(await read('dockerfiles/Ours')).toBe('moves')
  await ok(`PUT /projects/${id}/transfer`, { namespace: other.id })
  expect(await read('dockerfiles/Ours')).toBe(404)
})
