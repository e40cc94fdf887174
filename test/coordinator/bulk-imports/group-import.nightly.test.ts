import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../support/databases.js'
import { gitOk } from '../../support/git-client.js'
import { openDestination, totalsOf } from './support/import-scene.js'
import { openSource } from './support/source-coordinator.js'

const SHOP = '/projects/copy%2Fweb%2Fshop'

describeOnDatabase('from one coordinator into another', (open) => {
  test('a group is imported with its subgroups, projects and repositories', async () => {
    const source = await openSource()
    const { imported, ok, person, services, database } = await openDestination(open)
    const jane = await person('jane')
    const report = await imported(source.url, source.token)
    expect(totalsOf(report)).toEqual({
      groups: { imported: 2 },
      projects: { imported: 1 },
      repositories: { imported: 1 },
      labels: { imported: 2 },
      milestones: { imported: 1 },
      members: { imported: 1, present: 2, left_out: 1 },
      issues: { imported: 2 },
      notes: { imported: 3 },
      merge_requests: { imported: 2 },
      releases: { imported: 1 },
      schedules: { imported: 1 },
      variables: { left_out: 2 },
    })
    expect(await ok('GET /groups/copy%2Fweb')).toMatchObject({ name: 'Web', visibility: 'private' })
    const project = await ok(`GET ${SHOP}`)
    expect(project).toMatchObject({ description: 'Sells', default_branch: 'main', import_status: 'finished' })
    const branches = (dir: string) =>
      gitOk(dir, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads')
    const [theirs, ours] = [source.services, services].map(({ repositories }, index) =>
      branches(repositories.path([source.project.id, project.id][index] ?? 0)),
    )
    expect(await ours).toBe(await theirs)
    expect(await ok(`GET ${SHOP}/issues/1`)).toMatchObject({
      labels: ['bug', 'ui'],
      assignees: [{ id: jane.id }],
      author: { username: 'root' },
      description: `*Created by \`kim\` (\`kim\`) at ${source.url}.*\n\nSee #2`,
      weight: 3,
      state: 'opened',
    })
    expect(await ok(`GET ${SHOP}/issues/2`)).toMatchObject({
      confidential: true,
      state: 'closed',
      author: { id: jane.id },
    })
    const threads = await ok<{ notes: object[] }[]>(`GET ${SHOP}/issues/1/discussions`)
    expect(threads.map(({ notes }) => notes.length)).toEqual([2])
    expect(await ok(`GET ${SHOP}/merge_requests/1`)).toMatchObject({
      state: 'opened',
      source_branch: 'feature',
      author: { id: jane.id },
    })
    expect(await ok(`GET ${SHOP}/merge_requests/1/changes`)).toMatchObject({
      changes: [{ new_path: 'feature.txt' }],
    })
    expect(await ok(`GET ${SHOP}/releases`)).toMatchObject([{ tag_name: 'v1.0' }])
    expect(await database.selectFrom('pipeline_schedule').select(['ref', 'active']).execute()).toEqual([
      { ref: 'refs/heads/main', active: false },
    ])
    expect(await database.selectFrom('ci_variable').select('id').execute()).toEqual([])
    expect(totalsOf(await imported(source.url, source.token))).toMatchObject({
      repositories: { present: 1 },
      releases: { present: 1 },
      notes: { present: 3 },
    })
    const text = JSON.stringify(await database.selectFrom('bulk_import_item').selectAll().execute())
    expect(text).not.toMatch(/hidden-(group|shop)-value/)
    expect(await database.selectFrom('pipeline').select('id').execute()).toEqual([])
  })
})
