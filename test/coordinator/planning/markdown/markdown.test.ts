import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { planningSceneForFile } from '../support.js'

const openPlanningScene = planningSceneForFile()

async function openScene(open: OpenDatabase) {
  const scene = await openPlanningScene(open)
  const html = async (text: string, more: object = { gfm: true, project: 'team/app' }, as?: Person) =>
    (await scene.ok<{ html: string }>('POST /markdown', { text, ...more }, as)).html
  return { ...scene, html }
}

/** Texts of the links of this instance, with the paths they lead to. */
function linksIn(html: string): string[] {
  return [...html.matchAll(/<a href="([^"]*)"[^>]* class="gfm [^>]*>([^<]*)<\/a>/g)].map(
    ([, href, text]) => `${text} ${href?.replace(`${EXTERNAL_URL}/`, '')}`,
  )
}

describeOnDatabase('Markdown', (open) => {
  test('is rendered without and with links of this instance', async () => {
    const { call, ok, html, P } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'Is "broken" & <b>' })
    expect(await call('POST /markdown', { text: '**a** #1 [ ]' })).toEqual([
      201,
      { html: '<p><strong>a</strong> #1 [ ]</p>\n' },
    ])
    expect(await html('see #1')).toBe(
      `<p>see <a href="${EXTERNAL_URL}/team/app/-/issues/1" title="Is &quot;broken&quot; &amp; &lt;b&gt;" ` +
        'class="gfm gfm-issue" data-original="#1" data-reference-type="issue" data-project="1">#1</a></p>\n',
    )
    expect(await html('- [ ] #1\n- [x] b\n- c')).toMatch(
      /^<ul class="task-list">\n<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled=""> <a .*#1<\/a><\/li>\n<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled="" checked=""> b<\/li>\n<li>c<\/li>\n<\/ul>\n$/,
    )
  })

  testAtNight('links to issues, labels, milestones, commits, people and groups', async () => {
    const { ok, html, commit, P, G } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'One' })
    await ok(`POST ${P}/labels`, { name: 'two words', color: 'red', description: 'Two' })
    await ok(`POST ${G}/labels`, { name: 'bug', color: 'red' })
    await ok(`POST ${P}/milestones`, { title: 'v1' })
    await ok(`POST ${G}/milestones`, { title: 'Next' })
    const sha = await commit(P, { a: 'a' }, 'First\n\nText')
    const text = [
      'app#1, team/app#1, #2 `#1` [#1](x) \\#1',
      `${EXTERNAL_URL}/team/app/-/issues/1 and [${EXTERNAL_URL}/team/app/-/issues/1](y)`,
      '~"two words" ~bug ~none %v1 %1 %Next %none',
      `${sha} ${sha.slice(0, 8)} team/app@${sha} ${'0'.repeat(40)}`,
      '@root, @Team and @nobody',
    ].join('\n\n')
    const issue = 'team/app/-/issues/1'
    expect(linksIn(await html(text))).toEqual([
      `app#1 ${issue}`,
      `team/app#1 ${issue}`,
      `#1 ${issue}`,
      'two words team/app/-/issues?label_name=two%20words',
      'bug team/app/-/issues?label_name=bug',
      '%v1 team/app/-/milestones/1',
      '%v1 team/app/-/milestones/1',
      '%Next groups/team/-/milestones/1',
      // Twice: the whole ID is shown short, too.
      ...['', '', 'team/app@'].map((path) => `${path}${sha.slice(0, 8)} team/app/-/commit/${sha}`),
      '@root root',
      '@Team groups/team',
    ])
    expect(
      linksIn(await html(`#1 app#1 team/app#1 ${EXTERNAL_URL}/team/app/issues/1`, { gfm: true })),
    ).toEqual([`team/app#1 ${issue}`, `team/app#1 ${issue}`])
  })

  test('links to merge requests, for those who may read them', async () => {
    const { ok, html, person, commit, secret } = await openScene(open)
    const guest = await person('guest', secret, 10)
    await commit(secret, { a: 'a' })
    await ok(`POST ${secret}/repository/branches`, { branch: 'topic', ref: 'main' })
    const change = {
      branch: 'topic',
      commit_message: 'x',
      actions: [{ action: 'create', file_path: 'b', content: 'b' }],
    }
    await ok(`POST ${secret}/repository/commits`, change)
    const branches = { source_branch: 'topic', target_branch: 'main' }
    await ok(`POST ${secret}/merge_requests`, { title: 'Add b', ...branches })
    const shown = { gfm: true, project: 'team/secret' }
    const text = `!1 ${EXTERNAL_URL}/team/secret/-/merge_requests/1`
    const link = '!1 team/secret/-/merge_requests/1'
    expect(linksIn(await html(text, shown))).toEqual([link, link])
    expect(linksIn(await html(text, shown, guest))).toEqual([])
  })

  test('links only to what the caller may see', async () => {
    const { call, ok, html, person, commit, P, secret } = await openScene(open)
    const visitor = await person('visitor')
    const guest = await person('guest', secret, 10)
    const reporter = await person('reporter', secret, 20)
    const hidden = await ok('POST /groups', { name: 'Hidden', path: 'hidden', visibility: 'private' })
    await ok(`POST ${secret}/issues`, { title: 'Secret' })
    await ok(`POST ${secret}/issues`, { title: 'Confidential', confidential: true })
    await ok(`POST ${secret}/labels`, { name: 'bug', color: 'red' })
    await ok(`POST ${secret}/milestones`, { title: 'v1' })
    await ok(`POST ${P}/issues`, { title: 'Confidential', confidential: true })
    const sha = await commit(secret, { a: 'a' })
    const path = 'team/secret'
    const text = `${path}#1 ${path}#2 ${path}~bug ${path}%v1 ${path}@${sha} #1 @hidden`
    const seenBy = async (as: Person) =>
      linksIn(await html(text, { gfm: true, project: 'team/app' }, as)).map((link) => link.split(' ')[0])
    expect(hidden.id).toBeGreaterThan(0)
    expect(await seenBy(visitor)).toEqual([])
    expect(await seenBy(guest)).toEqual([`${path}#1`, 'bug', '%v1'])
    expect(await seenBy(reporter)).toEqual([
      `${path}#1`,
      `${path}#2`,
      'bug',
      '%v1',
      `${path}@${sha.slice(0, 8)}`,
    ])
    await ok(`PUT ${secret}`, { issues_access_level: 'disabled' })
    expect(await seenBy(reporter)).not.toContain(`${path}#1`)

    const inSecret = { text: '#1', gfm: true, project: path }
    expect(await call('POST /markdown', inSecret, visitor)).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
    expect(await call('POST /markdown', { text: 'a', project: 'no/such' }, visitor)).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
    expect(await call('POST /markdown', { text: 'a' }, null)).toEqual([401, { message: '401 Unauthorized' }])
    expect(await call('POST /markdown', {})).toEqual([400, { error: 'text is missing' }])
  })

  testAtNight('has at most 1000 links, and a long text is not rendered', async () => {
    const { ok, html, P } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'One' })
    expect(linksIn(await html('#1 '.repeat(1500)))).toHaveLength(1000)
    expect(await html('#1 '.repeat(40_000))).toMatch(/^<pre>#1 #1 /)
  })

  testAtNight('links to issues of a tracker outside this instance', async () => {
    const { ok, html, P, services } = await openScene(open)
    await ok(`POST ${P}/issues`, { title: 'One' })
    const { id } = await services.database
      .selectFrom('project')
      .select('id')
      .where('full_path', '=', 'team/app')
      .executeTakeFirstOrThrow()
    const use = async (slug: string, properties: object) => {
      await services.database.deleteFrom('integration').execute()
      await services.database
        .insertInto('integration')
        .values({
          project_id: id,
          slug,
          properties: JSON.stringify(properties),
          created_at: 1,
          updated_at: 1,
        })
        .execute()
    }
    const issues_url = 'https://bugs.example.com/issues/:id'
    await use('redmine', { issues_url })
    expect(await html('see AB-12')).toBe(
      '<p>see <a href="https://bugs.example.com/issues/AB-12" title="Issue in Redmine" class="gfm gfm-issue" ' +
        `data-original="AB-12" data-reference-type="external_issue" data-project="${id}">AB-12</a></p>\n`,
    )
    const text = '#1 #7 `AB-1` [AB-2](x) \\#8 https://x.example.com/AB-3 A_1-4.'
    expect(linksIn(await html(text))).toEqual([
      '#1 team/app/-/issues/1',
      'A_1-4 https://bugs.example.com/issues/A_1-4',
    ])
    await ok(`PUT ${P}`, { issues_access_level: 'disabled' })
    expect(linksIn(await html(text))).toEqual([
      '#1 https://bugs.example.com/issues/1',
      '#7 https://bugs.example.com/issues/7',
      'A_1-4 https://bugs.example.com/issues/A_1-4',
    ])
    expect(linksIn(await html('AB-12', { gfm: true, project: 'team/secret' }))).toEqual([])
    await use('jira', { url: 'https://jira.example.com/base/' })
    expect(linksIn(await html('#7 AB-12'))).toEqual(['AB-12 https://jira.example.com/base/browse/AB-12'])
    await use('ewm', { issues_url })
    expect(linksIn(await html('Work item 5, bugs 6'))).toEqual([
      'Work item 5 https://bugs.example.com/issues/5',
    ])
    await use('clickup', { issues_url })
    expect(linksIn(await html('#a1b2 CU-c3 AB-4'))).toEqual([
      '#a1b2 https://bugs.example.com/issues/a1b2',
      'CU-c3 https://bugs.example.com/issues/c3',
      'AB-4 https://bugs.example.com/issues/AB-4',
    ])
    await use('redmine', { issues_url: `https://bugs.example.com/${'x'.repeat(3000)}/:id` })
    expect(linksIn(await html('AB-12'))).toEqual([])
    await use('redmine', { issues_url })
    expect(linksIn(await html('AB-1 '.repeat(1500)))).toHaveLength(1000)
  })
})
