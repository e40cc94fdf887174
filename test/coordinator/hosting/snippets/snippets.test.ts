import { expect, test } from 'vitest'

import { deleteOrphanedSnippets } from '../../../../src/coordinator/hosting/snippets/delete-orphans.js'
import { describeOnDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { planningSceneForFile } from '../../planning/support/planning-scene.js'
import { archiveOf, importArchiveInto } from '../../support/copy-project.js'
import type { Person } from '../../support/test-app.js'

const openPlanningScene = planningSceneForFile()

interface Snippet {
  id: number
  title: string
  files: { path: string; raw_url: string }[]
}

async function openScene(open: Parameters<typeof openPlanningScene>[0]) {
  const scene = await openPlanningScene(open)
  const P = `/projects/${scene.project}`
  const make = (values: object = {}, as?: Person, at = P) =>
    scene.ok<Snippet>(
      `POST ${at}/snippets`,
      { title: 'Notes', file_name: 'a.md', content: '# A', ...values },
      as,
    )
  const ids = async (path: string, as?: Person) =>
    (await scene.ok<Snippet[]>(`GET ${path}`, undefined, as)).map(({ id }) => id)
  return { ...scene, P, make, ids }
}

describeOnDatabase('a snippet', (open) => {
  test('of a project is created, listed, read, changed and deleted', async () => {
    const { call, ok, make, root, P } = await openScene(open)
    const made = await make({ description: 'What I know', visibility: 'internal' })
    expect(made).toMatchObject({
      title: 'Notes',
      file_name: 'a.md',
      description: 'What I know',
      visibility: 'internal',
      author: { username: root.username },
      web_url: expect.stringMatching(/\/team\/app\/-\/snippets\/\d+$/) as string,
      files: [{ path: 'a.md' }],
    })
    const S = `${P}/snippets/${made.id}`
    expect(await ok(`GET ${S}`)).toEqual(made)
    expect(await ok<object[]>(`GET ${P}/snippets`)).toMatchObject([{ id: made.id, title: 'Notes' }])
    expect(await call(`GET ${S}/raw`)).toEqual([200, '# A'])
    const renamed = { title: 'More', file_name: 'dir/b c.md', content: '# B' }
    expect(await ok(`PUT ${S}`, renamed)).toMatchObject({ title: 'More', file_name: 'dir/b c.md' })
    expect(await call(`GET ${S}/raw`)).toEqual([200, '# B'])
    expect(await call(`GET ${S}/files/main/dir%2Fb%20c.md/raw`)).toEqual([200, '# B'])
    expect((await call(`GET ${S}/files/main/a.md/raw`))[0]).toBe(404)
    expect(await call(`GET ${S}/files/main~1/a.md/raw`)).toEqual([200, '# A'])
    expect(await ok(`PUT ${S}`, { visibility: 'private' })).toMatchObject({ visibility: 'private' })
    expect(await ok(`GET ${S}/user_agent_detail`)).toMatchObject({ ip_address: '127.0.0.1' })
    expect((await call(`DELETE ${S}`))[0]).toBe(204)
    expect(await call(`GET ${S}`)).toEqual([404, { message: '404 Snippet Not Found' }])
  })

  testAtNight('has several files, which are created, changed, moved and deleted in one commit', async () => {
    const { call, ok, make, P } = await openScene(open)
    const files = [
      { file_path: 'a.md', content: 'a' },
      { file_path: 'b.md', content: 'b' },
    ]
    const { id } = await make({ file_name: undefined, content: undefined, files })
    const S = `${P}/snippets/${id}`
    const changed = await ok<Snippet>(`PUT ${S}`, {
      files: [
        { action: 'create', file_path: 'c.md', content: 'c' },
        { action: 'update', file_path: 'a.md', content: 'A' },
        { action: 'move', previous_path: 'b.md', file_path: 'd.md' },
      ],
    })
    expect(changed.files.map(({ path }) => path)).toEqual(['a.md', 'c.md', 'd.md'])
    expect(await call(`GET ${S}/files/main/a.md/raw`)).toEqual([200, 'A'])
    expect(await call(`GET ${S}/files/main/d.md/raw`)).toEqual([200, 'b'])
    const several = [400, { message: { files: ['must be used to change a snippet of several files'] } }]
    expect(await call(`PUT ${S}`, { content: 'x' })).toEqual(several)
    const none = ['a.md', 'c.md', 'd.md'].map((file_path) => ({ action: 'delete', file_path }))
    expect(await call(`PUT ${S}`, { files: none })).toEqual([
      400,
      { message: { files: ['must have at least one file'] } },
    ])
    expect(
      (await call(`PUT ${S}`, { files: [{ action: 'update', file_path: 'z.md', content: 'z' }] }))[0],
    ).toBe(400)
    expect(
      (await call(`PUT ${S}`, { files: [{ action: 'create', file_path: '../z', content: 'z' }] }))[0],
    ).toBe(400)
    expect(await call(`POST ${P}/snippets`, { title: 'x' })).toEqual([400, { error: 'file_name is missing' }])
    const outside = { message: { file_name: ['Path cannot include directory traversal'] } }
    const values = { title: 'x', file_name: '../z', content: 'z' }
    expect(await call(`POST ${P}/snippets`, values)).toEqual([400, outside])
    expect(await call(`POST ${P}/snippets`, { title: 'x', file_name: 'a', content: 'a', files })).toEqual([
      400,
      { error: 'files, file_name and content are mutually exclusive' },
    ])
    expect((await ok<Snippet>(`GET ${S}`)).files).toEqual(changed.files)
  })

  testAtNight(
    'is not changed by a caller who knows an older version, and one of two callers is first',
    async () => {
      const { call, ok, make, P } = await openScene(open)
      const { id, updated_at: last_updated_at } = (await make()) as Snippet & { updated_at: string }
      const S = `${P}/snippets/${id}`
      const change = (content: string, known = last_updated_at) =>
        call(`PUT ${S}`, { content, last_updated_at: known })
      // A change that is refused leaves the version as it was.
      const both = { files: [{ action: 'create', file_path: 'a.md', content: 'x' }] }
      expect((await call(`PUT ${S}`, { ...both, last_updated_at }))[0]).toBe(400)
      const results = await Promise.all([change('one'), change('two')])
      expect(results.map(([status]) => status).toSorted()).toEqual([200, 409])
      expect((await change('three'))[0]).toBe(409)
      const { updated_at } = await ok<{ updated_at: string }>(`GET ${S}`)
      expect((await change('four', updated_at))[0]).toBe(200)
    },
  )

  test('is seen by those whom its visibility allows, and changed by its author and maintainers', async () => {
    const { call, ids, ok, make, person, root, P } = await openScene(open)
    const [ada, bob] = [await person('ada', P, 20), await person('bob', P, 20)]
    const mary = await person('mary', P, 40)
    const eve = await person('eve')
    const [secret, inner, open_] = [
      await make({}, ada),
      await make({ visibility: 'internal' }, ada),
      await make({ visibility: 'public' }, ada),
    ]
    const all = [open_.id, inner.id, secret.id]
    for (const member of [ada, bob, root]) expect(await ids(`${P}/snippets`, member)).toEqual(all)
    expect(await ids(`${P}/snippets`, eve)).toEqual([open_.id, inner.id])
    const [, listed] = await call(`GET ${P}/snippets`, undefined, null)
    expect(listed).toMatchObject([{ id: open_.id }])
    expect((await call(`GET ${P}/snippets/${secret.id}`, undefined, eve))[0]).toBe(404)
    expect((await call(`GET ${P}/snippets/${secret.id}/raw`, undefined, eve))[0]).toBe(404)
    for (const stranger of [bob, eve]) {
      expect((await call(`PUT ${P}/snippets/${open_.id}`, { title: 'x' }, stranger))[0]).toBe(403)
      expect((await call(`DELETE ${P}/snippets/${open_.id}`, undefined, stranger))[0]).toBe(403)
    }
    expect((await call(`POST ${P}/snippets`, { title: 'x', file_name: 'a', content: 'a' }, eve))[0]).toBe(403)
    await ok(`PUT ${P}/snippets/${open_.id}`, { title: 'x' }, mary)
    await ok(`PUT ${P}/snippets/${open_.id}`, { title: 'y' }, ada)
    expect((await call(`GET ${P}/snippets/${open_.id}/user_agent_detail`, undefined, ada))[0]).toBe(403)
    await ok(`PUT ${P}`, { snippets_access_level: 'disabled' })
    expect((await call(`GET ${P}/snippets/${open_.id}`, undefined, ada))[0]).toBe(403)
  })

  test('is personal, and then seen by its visibility alone', async () => {
    const { call, ids, ok, make, person } = await openScene(open)
    const [ada, eve] = [await person('ada'), await person('eve')]
    const secret = await make({}, ada, '')
    const open_ = await make({ visibility: 'public' }, ada, '')
    expect(await ids('/snippets', ada)).toEqual([open_.id, secret.id])
    expect(await ids('/snippets', eve)).toEqual([])
    expect(await ids('/snippets/public', eve)).toEqual([open_.id])
    expect(await ids('/snippets/all', eve)).toEqual([open_.id])
    expect(await ids('/snippets/all?created_after=2100-01-01T00:00:00Z', ada)).toEqual([])
    expect(await call(`GET /snippets/${open_.id}/raw`, undefined, null)).toEqual([200, '# A'])
    for (const route of [`GET /snippets/${secret.id}`, `DELETE /snippets/${secret.id}`])
      expect(await call(route, undefined, eve)).toEqual([404, { message: '404 Snippet Not Found' }])
    expect((await call(`PUT /snippets/${open_.id}`, { title: 'x' }, eve))[0]).toBe(403)
    expect(await ok(`PUT /snippets/${open_.id}`, { content: 'new' }, ada)).toMatchObject({ project_id: null })
    expect((await call(`DELETE /snippets/${open_.id}`, undefined, ada))[0]).toBe(204)
  })

  test('has comments, discussions and emoji', async () => {
    const { services, database, call, ok, make, person, P } = await openScene(open)
    const ada = await person('ada', P, 20)
    const { id } = await make({ visibility: 'public' })
    const S = `${P}/snippets/${id}`
    await ok(`POST ${P}/hooks`, { url: 'https://example.com/hook', note_events: true, push_events: false })
    const note = await ok<Snippet>(`POST ${S}/notes`, { body: 'Nice' }, ada)
    const [event] = await database.selectFrom('hook_event').selectAll().execute()
    expect(event && (await services.deliveries.render(event))).toMatchObject({
      object_kind: 'note',
      object_attributes: { noteable_type: 'Snippet', noteable_id: id, note: 'Nice' },
      snippet: { id, title: 'Notes', type: 'ProjectSnippet', visibility_level: 20 },
    })
    expect(note).toMatchObject({
      body: 'Nice',
      noteable_type: 'Snippet',
      noteable_id: id,
      noteable_iid: null,
    })
    expect(await ok(`PUT ${S}/notes/${note.id}`, { body: 'Very nice' }, ada)).toMatchObject({
      body: 'Very nice',
    })
    const thread = await ok<{ id: string }>(`POST ${S}/discussions`, { body: 'Why?' }, ada)
    await ok(`POST ${S}/discussions/${thread.id}/notes`, { body: 'Because.' })
    expect(await ok<object[]>(`GET ${S}/notes?sort=asc`)).toMatchObject([
      { body: 'Very nice' },
      { body: 'Why?' },
      { body: 'Because.' },
    ])
    expect(await ok(`POST ${S}/award_emoji`, { name: 'tada' }, ada)).toMatchObject({
      awardable_type: 'Snippet',
    })
    expect(await ok(`POST ${S}/notes/${note.id}/award_emoji`, { name: 'tada' })).toMatchObject({
      awardable_type: 'Note',
    })
    expect(await ok<object[]>(`GET ${S}/award_emoji`)).toHaveLength(1)
    expect((await call(`DELETE ${S}/notes/${note.id}`, undefined, ada))[0]).toBe(204)
    expect((await call(`DELETE ${S}`))[0]).toBe(204)
  })

  test('leaves no repository behind when its row is gone or its creation was interrupted', async () => {
    const { services, database, make } = await openScene(open)
    const [kept, gone] = [await make(), await make()]
    const half = await make()
    await database.deleteFrom('snippet').where('id', '=', gone.id).execute()
    await database
      .updateTable('snippet')
      .set({ is_ready: false, created_at: 0 })
      .where('id', '=', half.id)
      .execute()
    const heads = () =>
      Promise.all(
        [kept, gone, half].map(async ({ id }) => {
          const head = await services.snippetRepositories.resolveRef(id, 'main').catch(() => undefined)
          return head !== undefined
        }),
      )
    expect(await heads()).toEqual([true, true, true])
    await deleteOrphanedSnippets(services)
    await deleteOrphanedSnippets(services)
    expect(await heads()).toEqual([true, false, false])
    expect(await database.selectFrom('snippet').select('id').execute()).toEqual([{ id: kept.id }])
  })
})

testAtNight('snippets of a project are in its archive and in its size', async () => {
  const { services, ok, call, make, root, project, P } = await openScene(openSqlite)
  const files = [
    { file_path: 'a.md', content: '# A' },
    { file_path: 'dir/ü.txt', content: 'ü\n' },
  ]
  const values = { file_name: undefined, content: undefined, files, visibility: 'public' }
  const made = await make({ ...values, description: 'What I know' })
  const { statistics } = await ok<{ statistics: Record<string, number> }>(`GET ${P}?statistics=true`)
  expect(statistics['snippets_size']).toBeGreaterThan(0)
  expect(statistics['storage_size']).toBeGreaterThanOrEqual(statistics['snippets_size'] ?? Infinity)

  const archive = await archiveOf(services, project)
  const { id, status, problems } = await importArchiveInto(services, archive, root, 'copy')
  expect({ status, problems }).toEqual({ status: 'finished', problems: [] })
  const [copy, ...others] = await ok<Snippet[]>(`GET /projects/${id}/snippets`)
  expect(others).toEqual([])
  expect(copy?.id).not.toBe(made.id)
  expect(await ok(`GET /projects/${id}/snippets/${copy?.id}`)).toMatchObject({
    title: 'Notes',
    description: 'What I know',
    visibility: 'public',
    files: [{ path: 'a.md' }, { path: 'dir/ü.txt' }],
  })
  const raw = `GET /projects/${id}/snippets/${copy?.id}/files/main/${encodeURIComponent('dir/ü.txt')}/raw`
  expect(await call(raw)).toEqual([200, 'ü\n'])
})
