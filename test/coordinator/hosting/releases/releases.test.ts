import { expect, onTestFinished, test } from 'vitest'

import { createPipeline } from '../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import { HOOK_TRIGGERS, type HookTrigger } from '../../../../src/coordinator/database/tables/webhooks.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { insertMilestone, type MilestoneOwner } from '../../../../src/coordinator/hosting/milestone-store.js'
import { releaseOperations } from '../../../../src/coordinator/hosting/releases/operations.js'
import { finishInterruptedPushes } from '../../../../src/coordinator/hosting/repositories/push/finish-interrupted-pushes.js'
import type { PushDeps } from '../../../../src/coordinator/hosting/repositories/push/handle-push.js'
import { Repositories } from '../../../../src/coordinator/hosting/repositories/repositories.js'
import { emitPushEvents } from '../../../../src/coordinator/integrations/webhooks/outbox/emit-push-events.js'
import { runGit } from '../../../../src/git/run-git.js'
import { CoordinatorClient } from '../../../../src/runner/client/coordinator-client.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { tempDir } from '../../../support/temp-dir.js'
import { addProject } from '../../ci/engine/support/records.js'
import { type CiCoordinator, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { type CallInProject, projectTeam } from '../../support/project-team.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, EXTERNAL_URL, openApp, type Person, type TestApp } from '../../support/test-app.js'

const startCoordinator = sceneForFile((open) => startCiCoordinator({}, open))

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string
const AUTHOR = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
const COMMITTER = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }

const MILESTONE = { title: 'm', description: null, start_date: null, due_date: null }
const LINK = { name: 'l', url: 'https://example.com' }

const CI_FILE = `
job: { script: x }
released: { script: x, rules: [{ if: $CI_RELEASE_NAME == "One" }] }
`

interface Shown {
  milestones: { title: string }[]
}

interface Scene {
  coordinator: CiCoordinator
  git: (...args: string[]) => Promise<string>
  /** The commit of `main`. */
  sha: string
  developer: Person
  reporter: Person
  guest: Person
  app: TestApp
  pushes: PushDeps
  /** Calls `GET /releases` and the like. */
  call: CallInProject
}

/** A project with one commit on `main`, which has a CI file. */
async function openScene(open: OpenDatabase): Promise<Scene> {
  const coordinator = await startCoordinator(open)
  const { database, project } = coordinator
  const repositories = new Repositories(await tempDir())
  await repositories.create(project.id)
  const gitDir = repositories.path(project.id)
  const run = (args: string[], input?: string) =>
    runGit(['--git-dir', gitDir, ...args], {
      environment: { ...AUTHOR, ...COMMITTER },
      ...(input !== undefined && { input }),
    }).then((output) => output.trim())
  const blob = await run(['hash-object', '-w', '--stdin'], CI_FILE)
  const tree = await run(['mktree'], `100644 blob ${blob}\t.gitlab-ci.yml\n`)
  const sha = await run(['commit-tree', tree, '-m', 'First'])
  await run(['update-ref', 'refs/heads/main', sha])
  const engine = { ...coordinator.engine, repositories }
  const pushes: PushDeps = {
    database,
    repositories,
    logger: engine.logger,
    createPipeline: (pushed) => createPipeline(engine, pushed),
    onBranchDeleted: () => Promise.resolve(),
    onRefMoved: emitPushEvents,
  }
  const app = openApp(database, releaseOperations({ engine, pushes, externalUrl: EXTERNAL_URL }))
  const { person, call } = projectTeam(coordinator, app)
  return {
    coordinator,
    app,
    pushes,
    git: (...args) => run(args),
    sha,
    developer: await person('dora', 30),
    reporter: await person('rob', 20),
    guest: await person('gus', 10),
    call,
  }
}

/** Only maintainers make tags such as `v1`. */
async function protectTags({ database, project }: CiCoordinator): Promise<void> {
  await database
    .insertInto('protected_ref')
    .values({
      project_id: project.id,
      kind: 'tag',
      name: 'v*',
      created_at: Date.now(),
      push_access_level: 40,
      merge_access_level: 40,
    })
    .execute()
}

/** A hook that receives tags and releases. */
async function listen({ database, project }: CiCoordinator): Promise<void> {
  const flags = Object.fromEntries(HOOK_TRIGGERS.map((flag) => [flag, false])) as Record<HookTrigger, boolean>
  const now = Date.now()
  await database
    .insertInto('web_hook')
    .values({
      ...flags,
      tag_push_events: true,
      releases_events: true,
      project_id: project.id,
      url_encrypted: 'https://example.com/',
      enable_ssl_verification: true,
      branch_filter_strategy: 'wildcard',
      created_at: now,
      updated_at: now,
    })
    .execute()
}

describeOnDatabase('a release', (open) => {
  test('is made with its tag, shown, changed and deleted; the tag stays', async () => {
    const { coordinator, git, sha, developer, reporter, guest, call } = await openScene(open)
    const created = await call(developer, 'POST /releases', {
      tag_name: 'v1.0',
      description: 'the first',
      ref: 'main',
      assets: {
        links: [{ name: 'image', url: 'https://example.com/i', link_type: 'image', filepath: '/bin/i' }],
      },
    })
    expect(created.statusCode).toBe(201)
    const link = {
      id: expect.any(Number) as number,
      name: 'image',
      url: 'https://example.com/i',
      external: true,
      link_type: 'image',
      direct_asset_url: expect.stringMatching(
        /\/api\/v4\/projects\/\d+\/releases\/v1\.0\/downloads\/bin\/i$/,
      ) as string,
    }
    const release = {
      tag_name: 'v1.0',
      name: 'v1.0',
      description: 'the first',
      description_html: '<p>the first</p>\n',
      created_at: TIME,
      released_at: TIME,
      upcoming_release: false,
      historical_release: false,
      author: expect.objectContaining({ username: 'dora' }) as object,
      commit: expect.objectContaining({ id: sha, title: 'First' }) as object,
      milestones: [],
      commit_path: `/group/app/-/commit/${sha}`,
      tag_path: '/group/app/-/tags/v1.0',
      assets: { count: 5, sources: expect.arrayContaining([]) as unknown[], links: [link] },
      evidences: [{ sha: SHA256, filepath: expect.any(String) as string, collected_at: TIME }],
      _links: expect.objectContaining({
        self: `${EXTERNAL_URL}/group/app/-/releases/v1.0`,
        edit_url: `${EXTERNAL_URL}/group/app/-/releases/v1.0/edit`,
      }) as object,
    }
    expect(created.json()).toEqual(release)
    expect(await git('rev-parse', 'refs/tags/v1.0')).toBe(sha)
    const pipeline = await coordinator.database.selectFrom('pipeline').selectAll().executeTakeFirstOrThrow()
    expect(pipeline).toMatchObject({ ref: 'v1.0', tag: true, source: 'push', sha })

    expect((await call(reporter, 'GET /releases/v1.0')).json()).toEqual(release)
    const seen = (await call(guest, 'GET /releases/v1.0')).json<Record<string, unknown>>()
    expect(seen).not.toHaveProperty('commit')
    expect(seen).toMatchObject({ tag_name: 'v1.0', assets: { count: 1 } })

    const changed = await call(developer, 'PUT /releases/v1.0', {
      name: 'One',
      description: 'changed',
      released_at: '2100-01-01T00:00:00Z',
    })
    expect(changed.json()).toMatchObject({
      name: 'One',
      description: 'changed',
      upcoming_release: true,
      released_at: '2100-01-01T00:00:00.000Z',
    })
    const deleted = await call(developer, 'DELETE /releases/v1.0')
    expect(deleted.statusCode).toBe(200)
    expect(deleted.json()).toMatchObject({ name: 'One' })
    expect((await call(reporter, 'GET /releases/v1.0')).statusCode).toBe(404)
    expect(await git('rev-parse', 'refs/tags/v1.0')).toBe(sha)
  })

  testAtNight('of a tag that is there needs no ref, and starts no pipeline', async () => {
    const { coordinator, git, sha, developer, call } = await openScene(open)
    await git('update-ref', 'refs/tags/a/b', sha)
    const created = await call(developer, 'POST /releases', { tag_name: 'a/b', name: 'Mine' })
    expect(created.statusCode).toBe(201)
    expect((await call(developer, 'GET /releases/a%2Fb')).json()).toMatchObject({
      name: 'Mine',
      description: null,
    })
    expect(await coordinator.database.selectFrom('pipeline').select('id').execute()).toEqual([])
  })

  testAtNight('with a message makes an annotated tag', async () => {
    const { git, sha, developer, call } = await openScene(open)
    const body = { tag_name: 'v2', ref: sha, tag_message: 'Signed off' }
    expect((await call(developer, 'POST /releases', body)).statusCode).toBe(201)
    expect(await git('cat-file', '-t', 'refs/tags/v2')).toBe('tag')
    expect(await git('rev-parse', 'refs/tags/v2^{commit}')).toBe(sha)
    expect(await git('for-each-ref', '--format=%(contents) %(taggername)', 'refs/tags/v2')).toContain(
      'Signed off',
    )
  })

  testAtNight(
    'has milestones of its project and of groups above it, for callers who may read them',
    async () => {
      const { coordinator, developer, guest, call } = await openScene(open)
      const { database, project } = coordinator
      const { namespace_id: group_id, id: project_id } = project
      const add = (owner: MilestoneOwner, title: string, due_date: string | null = null) =>
        inTransaction(database, (tx) =>
          insertMilestone(tx, owner, { title, description: null, start_date: null, due_date }),
        )
      const own = await add({ project_id }, 'own')
      const above = await add({ group_id }, 'above', '2030-01-01')
      const other = await addProject(database, developer)
      const foreign = await add({ project_id: other.id }, 'foreign')
      const titles = async (as: Person, route: string, body?: object) => {
        const response = await call(as, route, body)
        expect([route, response.statusCode]).toEqual([route, route.startsWith('POST') ? 201 : 200])
        const records = response.json<Shown | Shown[]>()
        return [records].flat().map(({ milestones }) => milestones.map(({ title }) => title))
      }
      const body = { tag_name: 'v1', ref: 'main', milestones: ['own', 'above'] }
      expect(await titles(developer, 'POST /releases', body)).toEqual([['above', 'own']])
      const record = (await call(guest, 'GET /releases/v1')).json<Shown>().milestones[1]
      expect(record).toMatchObject({ id: own.id, web_url: `${EXTERNAL_URL}/group/app/-/milestones/1` })

      expect(await titles(developer, 'PUT /releases/v1', { name: 'x' })).toEqual([['above', 'own']])
      expect(await titles(developer, 'PUT /releases/v1', { milestone_ids: [above.id] })).toEqual([['above']])
      const refusals = [
        [{ milestones: 'own,foreign' }, { message: 'Milestone(s) not found: foreign' }],
        [{ milestone_ids: [foreign.id] }, { message: `Milestone id(s) not found: ${foreign.id}` }],
        [
          { milestones: ['own'], milestone_ids: [own.id] },
          { error: 'milestones, milestone_ids are mutually exclusive' },
        ],
      ]
      for (const [wrong, result] of refusals) {
        const refused = await call(developer, 'PUT /releases/v1', wrong)
        expect([refused.statusCode, refused.json()]).toEqual([400, result])
      }
      expect(await titles(guest, 'GET /releases')).toEqual([['above']])
      await database
        .updateTable('project')
        .set({ issues_access_level: 'disabled', merge_requests_access_level: 'disabled' })
        .where('id', '=', project_id)
        .execute()
      expect(await titles(guest, 'GET /releases')).toEqual([[]])
      await database.updateTable('project').set({ issues_access_level: 'enabled' }).execute()
      expect(await titles(developer, 'PUT /releases/v1', { milestones: [] })).toEqual([[]])
    },
  )

  test.each<[string, object, number, object]>([
    ['has one', { tag_name: 'taken', ref: 'main' }, 409, { message: 'Release already exists' }],
    ['is not there, without a ref', { tag_name: 'v9' }, 422, { message: 'Ref is not specified' }],
    [
      'is not there, from no commit',
      { tag_name: 'v9', ref: 'nope' },
      422,
      { message: 'Target nope is invalid' },
    ],
    ['is no name', { tag_name: 'a..b', ref: 'main' }, 422, { message: 'Tag name invalid' }],
    [
      'goes with a milestone',
      { tag_name: 'v9', ref: 'main', milestones: ['m1', 'm2'] },
      400,
      { message: 'Milestone(s) not found: m1, m2' },
    ],
    [
      'links to no address',
      { tag_name: 'v9', ref: 'main', assets: { links: [{ name: 'a', url: 'javascript:x' }] } },
      400,
      { message: { url: ['is blocked: Only allowed schemes are http, https, ftp'] } },
    ],
  ])('is refused for a tag that %s', async (_, body, status, result) => {
    const { developer, call } = await openScene(open)
    await call(developer, 'POST /releases', { tag_name: 'taken', ref: 'main' })
    const refused = await call(developer, 'POST /releases', body)
    expect(refused.statusCode).toBe(status)
    expect(refused.json()).toEqual(result)
  })

  test('requires the developer role; on a protected tag, permission to create the tag', async () => {
    const { coordinator, developer, reporter, call } = await openScene(open)
    expect((await call(reporter, 'POST /releases', { tag_name: 'v1', ref: 'main' })).statusCode).toBe(403)
    expect((await call(undefined, 'GET /releases')).statusCode).toBe(404)
    await protectTags(coordinator)
    expect((await call(developer, 'POST /releases', { tag_name: 'v1', ref: 'main' })).statusCode).toBe(403)
    const made = await call(coordinator.admin, 'POST /releases', { tag_name: 'v1', ref: 'main' })
    expect(made.statusCode).toBe(201)
    expect((await call(developer, 'PUT /releases/v1', { name: 'x' })).statusCode).toBe(403)
    expect((await call(developer, 'DELETE /releases/v1')).statusCode).toBe(403)
    expect((await call(developer, 'PUT /releases/other', { name: 'x' })).json()).toEqual({
      message: 'Release does not exist',
    })
  })

  testAtNight(
    'is listed with the others, the latest first, and led to when it is the last that is out',
    async () => {
      const { developer, call } = await openScene(open)
      for (const [tag_name, year] of [
        ['old', 2001],
        ['new', 2003],
        ['mid', 2002],
        ['future', 2100],
      ]) {
        await call(developer, 'POST /releases', {
          tag_name,
          ref: 'main',
          released_at: `${year}-01-01T00:00:00Z`,
        })
      }
      const tags = async (query = '') =>
        (await call(developer, `GET /releases${query}`))
          .json<{ tag_name: string }[]>()
          .map(({ tag_name }) => tag_name)
      expect(await tags()).toEqual(['future', 'new', 'mid', 'old'])
      expect(await tags('?order_by=created_at&sort=asc')).toEqual(['old', 'new', 'mid', 'future'])
      const latest = await call(developer, 'GET /releases/permalink/latest')
      expect(latest.statusCode).toBe(302)
      expect(latest.headers.location).toMatch(/\/api\/v4\/projects\/\d+\/releases\/new$/)
    },
  )

  testAtNight('has a permalink of the latest release, also for its assets', async () => {
    const { developer, guest, call } = await openScene(open)
    const links = [{ name: 'a', url: 'https://example.com/a b', filepath: '/bin/a' }]
    await call(developer, 'POST /releases', { tag_name: 'v/1', ref: 'main', assets: { links } })
    const below = await call(guest, 'GET /releases/permalink/latest/downloads/bin/a?x=1')
    expect(below.statusCode).toBe(302)
    expect(below.headers.location).toMatch(/\/releases\/v%2F1\/downloads\/bin\/a\?x=1$/)
    const file = await call(guest, 'GET /releases/v%2F1/downloads/bin/a')
    expect([file.statusCode, file.headers.location]).toEqual([302, 'https://example.com/a%20b'])
    expect((await call(guest, 'GET /releases/v%2F1/downloads/bin/b')).statusCode).toBe(404)
    expect((await call(guest, 'GET /releases/v%2F2/downloads/bin/a')).statusCode).toBe(404)
  })

  testAtNight('is listed with the other releases of its group for users who may read it', async () => {
    const { coordinator, app, developer, guest, call } = await openScene(open)
    const { database, project } = coordinator
    await call(developer, 'POST /releases', { tag_name: 'v1', ref: 'main' })
    await call(developer, 'POST /releases', { tag_name: 'v2', ref: 'main' })
    await database.updateTable('namespace').set({ visibility: 'public' }).execute()
    const list = async (as: Person | undefined, query = '') => {
      const response = await app.call(as, `GET /groups/${project.namespace_id}/releases${query}`)
      return response.json<{ tag_name: string; commit?: object }[]>()
    }
    const shown = (await list(developer)).map(({ tag_name, commit }) => [tag_name, commit !== undefined])
    expect(shown).toEqual([
      ['v2', true],
      ['v1', true],
    ])
    expect((await list(developer, '?sort=asc&per_page=1')).map(({ tag_name }) => tag_name)).toEqual(['v1'])
    expect((await list(guest)).map(({ commit }) => commit)).toEqual([undefined, undefined])
    expect(await list(await addPerson(database, 'stranger'))).toEqual([])
    expect(await list(undefined)).toEqual([])
    await database.updateTable('project').set({ releases_access_level: 'disabled' }).execute()
    expect(await list(developer)).toEqual([])
  })

  test('shows its notes as safe HTML unless the caller declines it', async () => {
    const { developer, call } = await openScene(open)
    const description = '**bold** <script>alert(1)</script> [x](javascript:alert(1))'
    const made = await call(developer, 'POST /releases', { tag_name: 'v1', description, ref: 'main' })
    await call(developer, 'POST /releases', { tag_name: 'v2', ref: 'main' })
    const html =
      '<p><strong>bold</strong> &lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1))</p>\n'
    expect(made.json()).toMatchObject({ description, description_html: html })
    const shown = await call(developer, 'GET /releases/v1')
    expect(shown.json()).toMatchObject({ description, description_html: html })
    const list = await call(developer, 'GET /releases?sort=asc')
    expect(list.json()).toMatchObject([{ description_html: html }, { description_html: '' }])
    const without = await call(developer, 'GET /releases/v1?include_html_description=false')
    expect(without.json()).not.toHaveProperty('description_html')
  })

  testAtNight('has links that are added, changed and taken off', async () => {
    const { developer, reporter, call } = await openScene(open)
    await call(developer, 'POST /releases', { tag_name: 'v1', ref: 'main' })
    const path = '/releases/v1/assets/links'
    const added = await call(developer, `POST ${path}`, { name: 'a', url: 'https://example.com/a' })
    expect(added.statusCode).toBe(201)
    const { id } = added.json<{ id: number }>()
    expect(added.json()).toMatchObject({
      name: 'a',
      link_type: 'other',
      direct_asset_url: 'https://example.com/a',
    })
    for (const [body, column] of [
      [{ name: 'b', url: 'https://example.com/a' }, 'url'],
      [{ name: 'a', url: 'https://example.com/b' }, 'name'],
    ] as const) {
      const taken = await call(developer, `POST ${path}`, body)
      expect(taken.statusCode).toBe(400)
      expect(taken.json()).toEqual({ message: { [column]: ['has already been taken'] } })
    }
    const bad = await call(developer, `POST ${path}`, { name: 'c', url: 'https://c', filepath: 'no-slash' })
    expect(bad.json()).toEqual({ message: { filepath: ['is in an invalid format'] } })
    const changed = await call(developer, `PUT ${path}/${id}`, { name: 'z', link_type: 'package' })
    expect(changed.json()).toMatchObject({
      id,
      name: 'z',
      link_type: 'package',
      url: 'https://example.com/a',
    })
    expect((await call(developer, `PUT ${path}/${id}`, { link_type: 'image' })).statusCode).toBe(400)
    expect((await call(reporter, `GET ${path}`)).json()).toHaveLength(1)
    expect((await call(reporter, `GET ${path}/${id}`)).json()).toMatchObject({ name: 'z' })
    expect((await call(reporter, `DELETE ${path}/${id}`)).statusCode).toBe(403)
    expect((await call(developer, `DELETE ${path}/${id}`)).json()).toMatchObject({ id })
    expect((await call(reporter, `GET ${path}/${id}`)).statusCode).toBe(404)
  })
})

describeOnDatabase('the release step of a job', (open) => {
  testAtNight('gives the runner a release step that works with the job token', async () => {
    const { coordinator, app, git, sha, call, developer, reporter } = await openScene(open)
    await pushPipeline(
      coordinator,
      `
release:
  script: x
  variables: { VERSION: "3" }
  release: { tag_name: v$VERSION, description: Notes of $VERSION, ref: main, assets: { links: [{ name: l, url: "https://example.com" }] } }
`,
    )
    const runner = await RunnerClient.register(coordinator)
    const payload = await runner.takeJob({ info: { features: { multi_build_steps: true } } })
    const step = payload.steps?.find(({ name }) => name === 'release')
    expect(step).toEqual({
      name: 'release',
      timeout: 3600,
      when: 'on_success',
      allow_failure: false,
      script: [expect.stringMatching(/^release-cli create /)],
      release: {
        tag_name: 'v$VERSION',
        description: 'Notes of $VERSION',
        ref: 'main',
        assets: { links: [{ name: 'l', url: 'https://example.com' }] },
      },
    })
    const url = await app.app.listen({ host: '127.0.0.1', port: 0 })
    const client = new CoordinatorClient({ url, token: runner.token, systemId: 's_0123456789ab' })
    onTestFinished(() => client.destroy())
    const release = { tag_name: 'v3', description: 'Notes of 3', ref: 'main' }
    expect(await client.createRelease(payload, coordinator.project.id, release)).toBeUndefined()
    expect((await call(reporter, 'GET /releases/v3')).json()).toMatchObject({
      description: 'Notes of 3',
      author: { username: 'root' },
    })
    expect(await git('rev-parse', 'refs/tags/v3')).toBe(sha)
    // As if the first response had been lost on its way.
    expect(await client.createRelease(payload, coordinator.project.id, release)).toBeUndefined()
    expect((await call(reporter, 'GET /releases')).json()).toHaveLength(1)
    await inTransaction(coordinator.database, (tx) =>
      insertMilestone(tx, { project_id: coordinator.project.id }, MILESTONE),
    )
    const others = [
      { description: 'Others' },
      { name: 'Three' },
      { assets: { links: [LINK] } },
      { milestones: [MILESTONE.title] },
    ]
    for (const other of others) {
      const wanted = { ...release, ...other }
      expect(await client.createRelease(payload, coordinator.project.id, wanted)).toBe(
        'Release already exists',
      )
    }
    const again = await call(developer, 'POST /releases', release)
    expect([again.statusCode, again.json()]).toEqual([409, { message: 'Release already exists' }])
    await runner.update(payload, 'success')
    expect(await client.createRelease(payload, coordinator.project.id, release)).toBe('401 Unauthorized')
  })
})

describeOnDatabase('a tag that a release makes', (open) => {
  testAtNight('emits one tag push event besides the release event', async () => {
    const { coordinator, sha, developer, call, pushes } = await openScene(open)
    const { database } = coordinator
    await listen(coordinator)
    const made = await call(developer, 'POST /releases', { tag_name: 'v1', ref: 'main' })
    expect(made.statusCode).toBe(201)
    await finishInterruptedPushes(pushes)
    const events = await database.selectFrom('hook_event').select(['trigger', 'facts']).execute()
    expect(events.sort((one, other) => one.trigger.localeCompare(other.trigger))).toMatchObject([
      { trigger: 'releases_events', facts: { action: 'create', release: { tag: 'v1', sha } } },
      {
        trigger: 'tag_push_events',
        facts: { ref: 'refs/tags/v1', before: '0'.repeat(40), after: sha, userId: developer.id },
      },
    ])
  })

  testAtNight('creates no event and no tag message when the user lacks permission', async () => {
    const { coordinator, git, developer, call } = await openScene(open)
    const { database } = coordinator
    await listen(coordinator)
    await protectTags(coordinator)
    const refused = await call(developer, 'POST /releases', {
      tag_name: 'v1',
      ref: 'main',
      tag_message: 'Mine',
    })
    expect(refused.statusCode).toBe(403)
    expect(await git('cat-file', '--batch-all-objects', '--batch-check')).not.toContain(' tag ')
    expect(await database.selectFrom('hook_event').selectAll().execute()).toEqual([])
  })
})

describeOnDatabase('a pipeline of a tag', (open) => {
  testAtNight('comes later when the coordinator was killed between the tag and the pipeline', async () => {
    const { coordinator, developer, call, pushes } = await openScene(open)
    const { createPipeline } = pushes
    pushes.createPipeline = () => Promise.reject(new Error('killed'))
    const made = await call(developer, 'POST /releases', { tag_name: 'v1', name: 'One', ref: 'main' })
    expect(made.statusCode).toBe(201)
    pushes.createPipeline = createPipeline
    const jobs = () => coordinator.database.selectFrom('job').select(['name', 'ref']).orderBy('id').execute()
    expect(await jobs()).toEqual([])
    await finishInterruptedPushes(pushes)
    await finishInterruptedPushes(pushes)
    expect(await jobs()).toEqual([
      { name: 'job', ref: 'v1' },
      { name: 'released', ref: 'v1' },
    ])
  })

  testAtNight('knows the release that its tag was made for', async () => {
    const { coordinator, developer, call } = await openScene(open)
    const description = '$CI_JOB_ID '.repeat(200)
    await call(developer, 'POST /releases', { tag_name: 'v1', name: 'One', description, ref: 'main' })
    await call(developer, 'POST /releases', { tag_name: 'v2', name: 'Two', ref: 'main' })
    const jobs = await coordinator.database.selectFrom('job').select(['name', 'ref']).orderBy('id').execute()
    expect(jobs).toEqual([
      { name: 'job', ref: 'v1' },
      { name: 'released', ref: 'v1' },
      { name: 'job', ref: 'v2' },
    ])
    const payload = await (await RunnerClient.register(coordinator)).takeJob()
    const seen = payload.variables.filter(({ key }) => key.startsWith('CI_RELEASE_'))
    expect(seen).toEqual([
      { key: 'CI_RELEASE_NAME', value: 'One', public: true, masked: false },
      {
        key: 'CI_RELEASE_DESCRIPTION',
        value: description.slice(0, 1024),
        public: true,
        masked: false,
        raw: true,
      },
    ])
  })
})
