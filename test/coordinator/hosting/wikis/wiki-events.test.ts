import { expect, test } from 'vitest'

import { HOOK_TRIGGERS, type HookTrigger } from '../../../../src/coordinator/database/tables/webhooks.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { commit, gitOk, workTree } from '../../../support/git-client.js'
import { testAtNight } from '../../../support/nightly.js'
import { openPlanningScene } from '../../planning/support/planning-scene.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { type GitServer, startGitServer } from '../repositories/git-server.js'

describeOnDatabase('changes of a wiki', (open) => {
  test('are sent to the webhooks that ask for them', async () => {
    const { ok, call, services, database, root, project, P } = await openPlanningScene(open)
    const hook = await ok(`POST ${P}/hooks`, { url: 'https://a.example', wiki_page_events: true })
    const none = await call(`POST ${P}/hooks/${hook.id}/test/wiki_page_events`)
    expect(none).toEqual([422, { message: 'Ensure the project has wiki pages.' }])
    await ok(`POST ${P}/wikis`, { title: 'Setup/First steps', content: '# A' })
    const W = `${P}/wikis/Setup%2FFirst-steps`
    await ok(`PUT ${W}`, { title: 'Second steps', content: 'Quite another text' })
    // This changes nothing.
    await ok(`PUT ${P}/wikis/Setup%2FSecond-steps`, { content: 'Quite another text' })
    await ok(`DELETE ${P}/wikis/Setup%2FSecond-steps`)
    const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
    const [created, updated, deleted, ...more] = await Promise.all(events.map(services.deliveries.render))
    expect(more).toEqual([])
    const pages = `${EXTERNAL_URL}/team/app/-/wikis`
    expect(created).toEqual({
      object_kind: 'wiki_page',
      user: expect.objectContaining({ id: root.id, username: 'root' }) as unknown,
      project: expect.objectContaining({ id: project, path_with_namespace: 'team/app' }) as unknown,
      wiki: {
        web_url: `${pages}/home`,
        git_ssh_url: expect.stringContaining('team/app.wiki.git') as string,
        git_http_url: `${EXTERNAL_URL}/team/app.wiki.git`,
        path_with_namespace: 'team/app.wiki',
        default_branch: 'main',
      },
      object_attributes: {
        slug: 'Setup/First-steps',
        title: 'First steps',
        format: 'markdown',
        message: 'root created page: Setup/First steps',
        version_id: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
        content: '# A',
        url: `${pages}/Setup/First-steps`,
        action: 'create',
        diff_url: expect.stringContaining(`${pages}/Setup/First-steps/diff?version_id=`) as string,
      },
    })
    expect(updated).toMatchObject({
      object_attributes: { slug: 'Setup/Second-steps', content: 'Quite another text', action: 'update' },
    })
    expect(deleted).toMatchObject({
      object_attributes: { slug: 'Setup/Second-steps', content: 'Quite another text', action: 'delete' },
    })
  })
})

/** With the flag of wiki pages alone. */
async function addHook({ database, project, services }: GitServer): Promise<void> {
  const triggers = HOOK_TRIGGERS.map((trigger) => [trigger, trigger === 'wiki_page_events'])
  await database
    .insertInto('web_hook')
    .values({
      ...(Object.fromEntries(triggers) as Record<HookTrigger, boolean>),
      project_id: project.id,
      url_encrypted: services.secrets.encrypt('https://a.example'),
      enable_ssl_verification: true,
      branch_filter_strategy: 'wildcard',
      created_at: 0,
      updated_at: 0,
    })
    .execute()
}

testAtNight('a push of a wiki is sent as one event for each page', async () => {
  const server = await startGitServer()
  const { database, services } = server
  const address = server.remote().replace('app.git', 'app.wiki.git')
  const tree = await workTree({ 'old.md': 'x'.repeat(50), 'gone.md': 'b', 'kept.md': 'c', 'a.png': 'd' })
  await gitOk(tree, 'push', '--quiet', address, 'HEAD:main')
  await addHook(server)
  await gitOk(tree, 'mv', 'old.md', 'new.md')
  await gitOk(tree, 'rm', '--quiet', 'gone.md')
  await commit(tree, { 'dir/made.org': 'e', 'b.png': 'f' })
  await gitOk(tree, 'push', '--quiet', address, 'HEAD:main')
  await gitOk(tree, 'push', '--quiet', address, 'HEAD:main')
  const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
  const payloads = await Promise.all(events.map(services.deliveries.render))
  const seen = payloads.map((payload) => {
    const { slug, action } = (payload as { object_attributes: { slug: string; action: string } })
      .object_attributes
    return [action, slug]
  })
  expect(seen).toEqual([
    ['create', 'dir/made'],
    ['delete', 'gone'],
    ['update', 'new'],
  ])
})

testAtNight(
  'a push of a wiki is one activity for each page, and a renamed page keeps its record',
  async () => {
    const server = await startGitServer()
    const { database } = server
    const address = server.remote().replace('app.git', 'app.wiki.git')
    const tree = await workTree({ 'old.md': 'x'.repeat(50), 'gone.md': 'b', 'a.png': 'd' })
    await gitOk(tree, 'push', '--quiet', address, 'HEAD:main')
    await gitOk(tree, 'mv', 'old.md', 'new.md')
    await gitOk(tree, 'rm', '--quiet', 'gone.md')
    await commit(tree, { 'dir/made.org': 'e' })
    await gitOk(tree, 'push', '--quiet', address, 'HEAD:main')
    const rows = await database
      .selectFrom('activity')
      .innerJoin('wiki_page', 'wiki_page.id', 'activity.wiki_page_id')
      .select(['action', 'slug', 'title', 'format'])
      .orderBy('activity.id')
      .execute()
    expect(rows.map(({ action, slug }) => [action, slug])).toEqual([
      ['created', 'gone'],
      ['created', 'new'],
      ['created', 'dir/made'],
      ['destroyed', 'gone'],
      ['updated', 'new'],
    ])
    expect(rows[2]).toMatchObject({ title: 'made', format: 'org' })
  },
)
