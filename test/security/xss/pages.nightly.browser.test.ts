import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'

import { openPage } from '../../pages/support/browser.js'
import { openForFile } from '../../support/lifetime.js'
import { IS_NIGHTLY } from '../../support/nightly.js'
import {
  FOREIGN,
  hostile,
  hostileName,
  hostileRef,
  type HostileScene,
  MARKDOWN,
  openHostileScene,
} from './support/hostile-scene.js'

// The attack: a user writes markup and script addresses into every text that another user sees on a page.

const opened = openForFile(openHostileScene)

/** Each page with the texts that it must show as they were written. */
function pagesOf({
  project,
  group,
  pipeline,
  refused,
  job,
  sha,
  schedule,
  environment,
  runnerId,
  snippet,
  ownSnippet,
}: HostileScene): [string, ...string[]][] {
  const P = `/${project.path}/-`
  const user = hostile('user')
  const commit = hostile('commit')
  const refs = [hostileRef('broken'), hostileRef('v1')]
  const pipelineTexts = [hostile('pipeline'), user]
  const logTexts = [hostile('log'), 'a link of the log', hostile('red'), hostile('section')]
  const tabs: Record<string, string[]> = {
    failures: [hostile('job'), hostile('test'), hostile('class'), ...logTexts.slice(0, 3)],
    needs: [hostile('job')],
    waterfall: [hostile('job')],
    builds: [hostile('job'), hostile('stage'), hostileName('tag'), hostile('runner')],
    variables: [],
    compare: [],
  }
  return [
    [
      `/${project.path}`,
      hostile('project'),
      commit,
      hostileName('file'),
      hostileName('topic'),
      hostile('release'),
    ],
    ['/', hostile('pipeline'), hostile('project'), ...refs],
    [
      '/attacker',
      user,
      ...['pronouns', 'bio', 'job_title', 'organization', 'location'].map(hostile),
      refs[0]!,
    ],
    [`/${group}`, hostile('group'), hostile('project')],
    ['/explore/projects', hostile('project')],
    ['/explore/groups', hostile('group')],
    ['/explore/projects/topics', hostile('title of a topic')],
    [`/explore/projects/topics/${encodeURIComponent(hostileName('topic'))}`, hostile('title of a topic')],
    ['/admin/topics', hostile('title of a topic'), hostileName('topic')],
    ['/admin/broadcast_messages', 'The end of the message.'],
    ['/import/bulk_imports/1', hostile('group of a source')],
    ['/dashboard/projects', hostile('project')],
    [`${P}/issues`, ...['issue', 'label', 'milestone'].map(hostile), user],
    [
      `${P}/issues/1`,
      ...['issue', 'label', 'milestone', 'epic'].map(hostile),
      user,
      'The end of the text.',
      'a foreign picture',
    ],
    [`/groups/${group}/-/issues`, hostile('issue')],
    [`${P}/boards`, ...['board', 'issue', 'label', 'milestone'].map(hostile)],
    [`${P}/milestones/1`, hostile('milestone')],
    [`/groups/${group}/-/boards`, hostile('board'), hostile('issue')],
    [`/groups/${group}/-/epics`, hostile('epic')],
    [`/groups/${group}/-/epics/1`, ...['epic', 'issue', 'child'].map(hostile), 'The end of the text.'],
    ['/dashboard/issues', hostile('issue')],
    ['/dashboard/todos', hostile('issue')],
    ['/search?scope=issues&search=data-hostile', hostile('issue'), user],
    [`${P}/merge_requests`, ...['request', 'label', 'milestone'].map(hostile), user],
    [
      `${P}/merge_requests/1`,
      ...['request', 'label', 'milestone', 'check', 'rule'].map(hostile),
      hostileRef('branch'),
      user,
      'The end of the text.',
    ],
    [`${P}/merge_requests/1/diffs`, hostile('request'), hostileRef('branch')],
    [`${P}/pipelines`, ...refs, user, hostile('pipeline')],
    ...Object.entries(tabs).map(([tab, texts]): [string, ...string[]] => [
      `${P}/pipelines/${pipeline}/${tab}`,
      ...pipelineTexts,
      ...texts,
    ]),
    [`${P}/pipelines/${refused}`, hostileRef('broken'), `jobs ${hostile('broken')}`],
    [`${P}/pipelines/new`, hostile('job'), hostile('stage')],
    [`${P}/ci/editor`, hostile('job'), hostile('stage')],
    [`${P}/jobs`, hostile('job'), hostile('stage'), hostileName('tag'), hostile('runner')],
    [`${P}/jobs/${job.id}`, hostile('job'), ...logTexts, commit, user, hostile('runner'), hostileName('tag')],
    [`${P}/jobs/${job.id}/artifacts/browse/dist`, hostile('job'), hostileName('artifact')],
    [`${P}/jobs/${job.id}/artifacts/file/dist/page.html`],
    [`${P}/tree/main`, commit, hostileName('file')],
    [`${P}/blob/main/README.md`, 'The end of the text.', commit],
    [`${P}/blob/main/code.js`, hostile('code')],
    [`${P}/blob/main/page.html`, hostile('page')],
    [`${P}/blob/main/drawing.svg`, commit],
    [`${P}/blob/main/report.pdf`, commit],
    [`${P}/blob/main/page.pdf`, commit],
    [`${P}/blob/main/page.mp4`, commit],
    [`${P}/blob/main/${encodeURIComponent(hostileName('file'))}`, hostileName('file'), hostile('content')],
    [`${P}/blame/main/code.js`, hostile('code'), commit],
    [`${P}/commits/main`, commit],
    [
      `${P}/commit/${sha}`,
      commit,
      hostile('body of the commit'),
      hostileName('file'),
      hostile('code'),
      hostile('status'),
      hostile('description of a status'),
      'The end of the text.',
      hostile('comment on a line'),
    ],
    [`${P}/branches`, hostileRef('broken')],
    [`${P}/tags`, hostileRef('v1'), hostile('message of a tag')],
    [`${P}/tags/${encodeURIComponent(hostileRef('v1'))}`, hostile('message of a tag')],
    [`${P}/find_file/main`, hostileName('file')],
    [`${P}/settings/ci_cd`, ...['variable', 'variable of a group', 'trigger'].map(hostile)],
    [`${P}/settings/repository`, hostile('deploy token')],
    [`${P}/environments`, 'production'],
    [`${P}/environments/${environment}`, hostile('job'), user],
    [`${P}/runners/${runnerId}`, hostile('runner'), hostile('note'), hostileName('tag')],
    [`${P}/settings/access_tokens`, hostile('token')],
    [`${P}/project_members`, user],
    [`${P}/runners`, hostile('runner')],
    [`/${project.path}/activity`, user, commit, ...refs],
    [`/groups/${group}/-/group_members`, user],
    [`/groups/${group}/-/pipelines`, hostile('pipeline'), ...refs],
    [`/groups/${group}/-/runners`, hostile('runner')],
    [`/groups/${group}/-/hooks`, hostile('hook of a group')],
    [`/groups/${group}/-/settings/ci_cd`, hostile('variable of a group')],
    // A title is made of the name of a file, in which spaces are hyphens.
    [`${P}/wikis`, 'The end of the text.', hostileName('page').replaceAll('-', ' '), user],
    [
      `${P}/wikis/${encodeURIComponent(hostileName('page').replaceAll(' ', '-'))}`,
      'The end of the text.',
      hostileName('wiki link'),
    ],
    [`${P}/wikis/other`, hostile('text of a page')],
    [`${P}/wikis/home/history`, hostile('message of a page'), user],
    [`${P}/wikis/home/edit`],
    [`/groups/${group}/-/wikis`, 'The end of the text.', user],
    [`${P}/snippets`, hostile('snippet'), user],
    [
      `${P}/snippets/${snippet}`,
      hostile('snippet'),
      hostileName('file of a snippet'),
      hostile('code of a snippet'),
      'The end of the text.',
    ],
    [`${P}/snippets/${snippet}/edit`, hostile('snippet'), hostile('code of a snippet')],
    ['/dashboard/snippets?scope=all', hostile('snippet')],
    [`/-/snippets/${ownSnippet}`, hostile('snippet'), hostile('code of a snippet')],
    [`${P}/releases`, hostile('release'), 'The end of the text.'],
    [
      `${P}/releases/${encodeURIComponent(hostileRef('v1'))}`,
      hostile('release'),
      hostile('link of a release'),
      'The end of the text.',
    ],
    [`${P}/pipeline_schedules`, hostile('schedule')],
    [`${P}/pipeline_schedules/${schedule}/edit`, hostile('schedule')],
    [`${P}/pipelines/${pipeline}/test_report`, hostile('test')],
    [`${P}/tests`, hostile('test')],
    [`${P}/edit/main/code.js`, hostile('code')],
    [`${P}/hooks`, hostile('hook')],
    [`${P}/settings/audit`, user],
    [`/${project.path}/edit`, ...['project', 'badge', 'badge of a group', 'check'].map(hostile)],
    [`/groups/${group}/-/edit`, ...['group', 'badge of a group'].map(hostile)],
    ['/admin/users', user],
    ['/admin/users/attacker', user],
    ['/admin/users/attacker?view=applications', hostile('own application')],
    ['/attacker?tab=memberships', user],
    ['/admin/projects', project.path],
    ['/admin/runners', hostile('runner')],
    ['/admin/jobs', hostile('job')],
    ['/admin/audit_logs', user],
    ['/admin/ci/variables', hostile('instance variable')],
    ['/admin/applications', hostile('application')],
    ['/-/user_settings/profile', hostile('bio')],
    ['/-/user_settings/applications', hostile('own application')],
    ['/-/user_settings/ssh_keys', hostile('key')],
    ['/-/profile/two_factor_auth', hostile('passkey')],
  ]
}

/** Pages that show the texts of others by the same components; they are opened in the nightly run. */
const SHOWN_ELSEWHERE =
  /^\/(explore|dashboard|groups)\/|\/pipelines\/\d+\/(needs|waterfall|variables|compare)$|\/(find_file|ci|edit|pipeline_schedules\/\d+)\/|^\/admin\/(projects|jobs)$/

/** What of the markup of an attacker has become elements, attributes or addresses of the page. */
function markupIn(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('*')].filter((element) =>
    element.dataset?.hostile !== undefined ||
    element.matches('main script, main style, main iframe:not([src*="/-/raw/main/"][src$=".pdf"]), main math, main form[action*="attacker"]') ||
    [...element.attributes].some(({ name, value }) =>
      name.startsWith('on') ||
      name === 'srcdoc' ||
      (['src', 'srcset', 'data'].includes(name) && value.includes('attacker')) ||
      (['href', 'src', 'action', 'formaction', 'xlink:href'].includes(name) &&
        /^[\\s\\0-\\x1f]*(javascript|vbscript|data:text)/i.test(value)))
  ).map((element) => element.outerHTML.slice(0, 200))`)
}

/** The texts that a page shows, also those of fields. */
function textIn(page: Page): Promise<string> {
  return page.evaluate(`document.body.textContent +
    [...document.querySelectorAll('input, textarea')].map((field) => field.value).join('\\n')`)
}

test('a page shows markup, scripts and addresses of users as text, and runs and loads nothing of them', async () => {
  const scene = opened()
  const { service, attacker } = scene
  const { page, problems } = await openPage(service, '/', {
    as: attacker,
    // The project has no push rules.
    expectedFailures: /^404 .*\/push_rule$/,
  })
  const events: string[] = []
  page.on('dialog', (dialog) => void dialog.dismiss())
  page.on('dialog', (dialog) => events.push(`dialog: ${dialog.message()}`))
  page.on('popup', (popup) => events.push(`popup: ${popup.url()}`))
  page.on('request', (request) => {
    // The viewer of PDFs is a part of the browser.
    if (
      !/^(data|blob|chrome|chrome-extension):/.test(request.url()) &&
      !request.url().startsWith(service.url)
    ) {
      events.push(`request: ${request.url()}`)
    }
  })
  await page.exposeFunction('ran', () => events.push('a script ran'))

  const check = async (path: string, texts: readonly string[]) => {
    for (const text of texts)
      await expect.poll(() => textIn(page), { message: path, timeout: 20_000, interval: 15 }).toContain(text)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await markupIn(page), path).toEqual([])
    expect(events, path).toEqual([])
    expect(problems, path).toEqual([])
  }
  for (const [path, ...texts] of pagesOf(scene)) {
    if (!IS_NIGHTLY && SHOWN_ELSEWHERE.test(path)) continue
    await page.goto(service.url + path)
    await check(path, texts)
  }
  const path = `/${scene.project.path}/-/hooks/${scene.hook}`
  await page.goto(service.url + path)
  await page.getByRole('button', { name: 'Details' }).first().click()
  await check(path, [hostile('hook'), hostile('response'), hostileName('header')])

  // The same checks notice the attacks where no page protects from them.
  await page.route(`${FOREIGN}/**`, (route) => route.fulfill({ body: 'ran()' }))
  await page.route(`${service.url}/unprotected`, (route) =>
    route.fulfill({ body: MARKDOWN, contentType: 'text/html' }),
  )
  await page.goto(`${service.url}/unprotected`)
  await expect.poll(() => events).toContain('a script ran')
  expect(events).toContain(`request: ${FOREIGN}/a.js`)
  expect(await markupIn(page)).not.toEqual([])
  problems.length = 0
})
