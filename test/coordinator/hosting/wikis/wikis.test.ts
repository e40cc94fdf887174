import { expect, test } from 'vitest'

import { deleteOrphanedWikis } from '../../../../src/coordinator/hosting/wikis/delete-orphans.js'
import { runGit } from '../../../../src/git/run-git.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { planningSceneForFile } from '../../planning/support/planning-scene.js'
import { archiveOf, importArchiveInto } from '../../support/copy-project.js'
import type { Person } from '../../support/test-app.js'

const openPlanningScene = planningSceneForFile()

interface Page {
  slug: string
  title: string
  content: string
}

async function openScene(open: Parameters<typeof openPlanningScene>[0]) {
  const scene = await openPlanningScene(open)
  const W = `/projects/${scene.project}/wikis`
  const add = (title: string, values: object = {}, as?: Person) =>
    scene.ok<Page>(`POST ${W}`, { title, content: `About ${title}`, ...values }, as)
  const slugs = async (at = W) => (await scene.ok<Page[]>(`GET ${at}`)).map(({ slug }) => slug)
  const log = (id = scene.project) =>
    runGit(['--git-dir', scene.services.wikiRepositories.path(id), 'log', '--format=%an: %s', 'main'])
  return { ...scene, W, add, slugs, log }
}

describeOnDatabase('a wiki', (open) => {
  test('has pages that are created, listed, read, changed, renamed and deleted', async () => {
    const { call, ok, add, slugs, log, W } = await openScene(open)
    expect(await ok(`GET ${W}`)).toEqual([])
    const home = { format: 'markdown', slug: 'home', title: 'home', content: 'About home', encoding: 'UTF-8' }
    expect(await call(`POST ${W}`, { title: 'home', content: 'About home' })).toEqual([201, home])
    await add('First steps', { format: 'asciidoc' })
    const listed = [
      { format: 'asciidoc', slug: 'First-steps', title: 'First steps' },
      { format: 'markdown', slug: 'home', title: 'home' },
    ]
    expect(await ok(`GET ${W}`)).toEqual(listed)
    expect(await ok<object[]>(`GET ${W}?with_content=true`)).toEqual([
      { ...listed[0], content: 'About First steps', encoding: 'UTF-8' },
      home,
    ])
    expect(await ok(`GET ${W}/home`)).toEqual(home)
    expect(await ok(`GET ${W}/First%20steps`)).toMatchObject({ slug: 'First-steps' })
    expect(await ok(`GET ${W}/HOME`)).toMatchObject({ slug: 'home' })
    expect(await ok(`PUT ${W}/home`, { content: 'New' })).toEqual({ ...home, content: 'New' })
    expect(await ok(`PUT ${W}/home`, { title: 'Start here' })).toMatchObject({
      slug: 'Start-here',
      title: 'Start here',
      content: 'New',
    })
    expect(await ok(`PUT ${W}/Start-here`, { format: 'org' })).toMatchObject({ format: 'org' })
    expect(await slugs()).toEqual(['First-steps', 'Start-here'])
    expect(await call(`GET ${W}/home`)).toEqual([404, { message: '404 Wiki Page Not Found' }])
    expect((await call(`DELETE ${W}/Start-here`))[0]).toBe(204)
    expect((await call(`DELETE ${W}/Start-here`))[0]).toBe(404)
    expect(await slugs()).toEqual(['First-steps'])
    expect((await log()).trimEnd().split('\n')).toEqual([
      'root: root deleted page: Start here',
      'root: root updated page: Start here',
      'root: root updated page: Start here',
      'root: root updated page: home',
      'root: root created page: First steps',
      'root: root created page: home',
    ])
  })

  testAtNight(
    'has pages in folders, which keep their folder unless the new title names another',
    async () => {
      const { ok, add, slugs, W } = await openScene(open)
      expect(await add(' Setup /  Old  way ')).toMatchObject({ slug: 'Setup/Old-way', title: 'Old way' })
      const renamed = await ok<Page>(`PUT ${W}/Setup%2FOld-way`, { title: 'New way' })
      expect(renamed).toMatchObject({ slug: 'Setup/New-way', title: 'New way' })
      expect(await ok(`PUT ${W}/Setup%2FNew-way`, { title: 'New way' })).toEqual(renamed)
      expect(await ok(`PUT ${W}/Setup%2FNew-way`, { title: 'a/b' })).toMatchObject({ slug: 'a/b' })
      expect(await ok(`PUT ${W}/a%2Fb`, { title: '/top' })).toMatchObject({ slug: 'top' })
      expect(await slugs()).toEqual(['top'])
    },
  )

  testAtNight('shows earlier versions, and pages as safe HTML', async () => {
    const { call, ok, add, services, project, W } = await openScene(open)
    await add('home', { content: 'Old' })
    const version = (await services.wikiRepositories.resolveRef(project, 'main'))?.sha ?? ''
    await ok(`PUT ${W}/home`, { content: '# New <script>' })
    expect(await ok(`GET ${W}/home?version=${version}`)).toMatchObject({ content: 'Old' })
    expect((await call(`GET ${W}/home?version=${'0'.repeat(40)}`))[0]).toBe(404)
    expect((await call(`GET ${W}/home?version=--output%3Dx`))[0]).toBe(404)
    const html = await ok<Page>(`GET ${W}/home?render_html=true`)
    expect(html.content).toBe('<h1>New &lt;script&gt;</h1>\n')
    await ok(`PUT ${W}/home`, { format: 'rdoc' })
    expect((await ok<Page>(`GET ${W}/home?render_html=true`)).content).toBe('<pre># New &lt;script&gt;</pre>')
  })

  testAtNight(
    'lists the versions of a page, compares them, and refuses a change of an outdated one',
    async () => {
      const { call, ok, add, W } = await openScene(open)
      interface Version {
        id: string
        title: string
        slug: string
      }
      const versions = (slug: string, query = '') => ok<Version[]>(`GET ${W}/${slug}/versions${query}`)
      await add('home', { content: 'Old\n', message: 'Begin' })
      await add('other')
      await ok(`PUT ${W}/home`, { content: 'New\n' })
      await ok(`PUT ${W}/home`, { title: 'Guide/Start', message: 'Move' })
      const at = 'Guide%2FStart'
      const all = await versions(at)
      expect(all.map(({ title, slug }) => [title, slug])).toEqual([
        ['Move', 'Guide/Start'],
        ['root updated page: home', 'home'],
        ['Begin', 'home'],
      ])
      expect(await versions(at, '?per_page=1&page=2')).toEqual([all[1]])
      const [moved, changed, begun] = all.map(({ id }) => id)
      const diff = (query: string) => ok<{ diff: string }[]>(`GET ${W}/${at}/diff?${query}`)
      expect(await diff(`to=${changed}`)).toMatchObject([
        { new_path: 'home.md', diff: '@@ -1 +1 @@\n-Old\n+New\n' },
      ])
      expect(await diff(`from=${begun}&to=${moved}`)).toMatchObject([{ new_path: 'Guide/Start.md' }])
      expect((await call(`GET ${W}/${at}/diff?to=${'0'.repeat(40)}`))[0]).toBe(404)
      const details = await ok<{ html: string; last_commit: Version }>(`GET ${W}/${at}?with_details=true`)
      expect(details).toMatchObject({ html: '<p>New</p>\n', last_commit: all[0] })
      expect(await ok(`POST ${W}/preview`, { content: '[a](b)', title: 'Guide/Start' })).toMatchObject({
        html: expect.stringContaining('/-/wikis/Guide/b"') as string,
      })
      const outdated = { content: 'Mine', last_commit_id: changed }
      expect(await call(`PUT ${W}/${at}`, outdated)).toMatchObject([409, {}])
      expect(await ok(`PUT ${W}/${at}`, { ...outdated, last_commit_id: moved })).toMatchObject({
        content: 'Mine',
      })
    },
  )

  test('links what its text names, as far as the reader may see it', async () => {
    const { ok, add, person, other, W, P, G } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'Open' })
    await ok(`POST /projects/${other}/issues`, { title: 'Hidden' })
    const content = 'See #1, team/other#1 and @team. `#1`'
    await add('home', { content })
    const htmlFor = async (as?: Person) =>
      (await ok<{ html: string }>(`GET ${W}/home?with_details=true`, undefined, as)).html
    const links = (html: string) =>
      [...html.matchAll(/<a href="[^"]*?(\/team\S*|\/groups\S*)"/g)].map(([, to]) => to)
    const all = ['/team/app/-/issues/1', '/team/other/-/issues/1', '/groups/team']
    expect(links(await htmlFor())).toEqual(all)
    expect(links(await htmlFor(await person('zoe')))).toEqual([all[0], all[2]])
    expect(links((await ok<{ html: string }>(`POST ${W}/preview`, { content })).html)).toEqual(all)
    // A group has no issues of its own.
    await ok(`POST ${G}/wikis`, { title: 'home', content })
    const { html } = await ok<{ html: string }>(`GET ${G}/wikis/home?with_details=true`)
    expect(links(html)).toEqual(all.slice(1))
  })

  testAtNight('refuses two pages with one title, whatever their formats and capitals', async () => {
    const { call, ok, add, slugs, W } = await openScene(open)
    await add('home')
    const taken = [400, { message: { base: ['Duplicate page: A page with that title already exists'] } }]
    expect(await call(`POST ${W}`, { title: 'Home', content: 'x', format: 'org' })).toEqual(taken)
    await add('other')
    expect(await call(`PUT ${W}/other`, { title: 'home' })).toEqual([
      400,
      { message: { title: ['There is already a page with the same title in that path.'] } },
    ])
    expect(await ok(`PUT ${W}/home`, { title: 'Home' })).toMatchObject({ slug: 'Home' })
    expect(await slugs()).toEqual(['Home', 'other'])
  })

  testAtNight('keeps all pages that several people create at once', async () => {
    const { add, slugs } = await openScene(open)
    const titles = Array.from('abcdefghijkl')
    await Promise.all(titles.map((title) => add(title)))
    expect(await slugs()).toEqual(titles)
  })

  testAtNight('is in the archive of its project, and its copy emits nothing', async () => {
    const { ok, add, slugs, log, services, project, root, database } = await openScene(open)
    await add('Setup/First steps')
    const archive = await archiveOf(services, project)
    const copy = await importArchiveInto(services, archive, root, 'copy')
    expect(copy).toMatchObject({ status: 'finished', error: null, problems: [] })
    expect(await slugs(`/projects/${copy.id}/wikis`)).toEqual(['Setup/First-steps'])
    expect(await log(copy.id)).toBe(await log())
    const rows = await database.selectFrom('wiki').selectAll().orderBy('project_id').execute()
    expect(rows[1]).toMatchObject({ head_sha: rows[0]?.head_sha, size: expect.any(Number) as number })
    const fork = await ok(`POST /projects/${project}/fork`, { path: 'fork' })
    expect(await slugs(`/projects/${fork.id}/wikis`)).toEqual([])
    await ok(`POST /projects/${project}/archive`)
    expect((await ok<Page>(`GET /projects/${project}/wikis/Setup%2FFirst-steps`)).title).toBe('First steps')
    await expect(add('more')).rejects.toThrow('403')
  })

  test('is for those whom its access level allows', async () => {
    const { call, ok, add, person, project, other, O, W } = await openScene(open)
    await add('home')
    const [visitor, guest] = [await person('vic'), await person('gus', `/projects/${project}`, 10)]
    const statuses = async () =>
      (await Promise.all([null, visitor, guest].map((as) => call(`GET ${W}/home`, undefined, as)))).map(
        ([status]) => status,
      )
    expect(await statuses()).toEqual([200, 200, 200])
    await ok(`PUT /projects/${project}`, { wiki_access_level: 'private' })
    expect(await statuses()).toEqual([401, 403, 200])
    expect(await ok(`PUT /projects/${project}`, { wiki_enabled: false })).toMatchObject({
      wiki_access_level: 'disabled',
    })
    expect(await statuses()).toEqual([401, 403, 403])
    expect((await call(`POST ${W}`, { title: 'x', content: 'x' }))[0]).toBe(403)
    const insider = await person('ina', O, 10)
    await ok(`POST ${O}/wikis`, { title: 'home', content: 'x' })
    expect((await call(`GET /projects/${other}/wikis/home`, undefined, insider))[0]).toBe(200)
    expect((await call(`GET /projects/${other}/wikis/home`, undefined, visitor))[0]).toBe(404)
    const developer = await person('dev', O, 30)
    expect((await call(`DELETE ${O}/wikis/home`, undefined, developer))[0]).toBe(403)
  })

  testAtNight('is measured, deleted with its project, and left behind by no deletion', async () => {
    const { ok, add, services, project, other } = await openScene(open)
    await add('home')
    const at = `/projects/${project}?statistics=true`
    const { statistics } = await ok<{ statistics: Record<string, number> }>(`GET ${at}`)
    expect(statistics['wiki_size']).toBeGreaterThan(0)
    expect(statistics['storage_size']).toBeGreaterThanOrEqual(statistics['wiki_size'] ?? NaN)
    const { wikiRepositories, database } = services
    await wikiRepositories.create(other)
    await deleteOrphanedWikis({ database, wikiRepositories })
    const isThere = async (id: number) =>
      (await wikiRepositories.resolveRef(id, 'main').catch(() => undefined)) !== undefined
    expect(await isThere(project)).toBe(true)
    await expect(runGit(['--git-dir', wikiRepositories.path(other), 'rev-parse'])).rejects.toThrow(
      'not a git repository',
    )
  })
})
