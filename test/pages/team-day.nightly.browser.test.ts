import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { type Person, type ServedProject, Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const DEVELOPER = 30
const READER = Array.from({ length: 12 }, (_, line) => `line ${line + 1}\n`).join('')

/** Jobs run for merge requests and on their train, not for branches. */
const CI_FILE = `
test: { script: make test, rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }
`

const TEMPLATE = '## What happens\n\n## What should happen\n'

async function openScene() {
  const service = await Service.start()
  const [ada, ben, rita] = [
    await service.addPerson('ada'),
    await service.addPerson('ben'),
    await service.addPerson('rita'),
  ]
  const files = {
    'reader.txt': READER,
    '.gitlab-ci.yml': CI_FILE,
    '.gitlab/issue_templates/Bug.md': TEMPLATE,
  }
  const project = await service.addProject(files, ada, { visibility: 'public', name: 'App', path: 'app' })
  const P = `/projects/${project.id}`
  await service.json('POST', `${P}/members`, { user_id: ben.id, access_level: DEVELOPER }, ada)
  await service.json('PUT', P, TEAM_RULES, ada)
  const runner = await service.addRunner()
  return { service, ada, ben, rita, project, runner }
}

/** What a team asks of a merge. */
const TEAM_RULES = {
  merge_trains_enabled: true,
  only_allow_merge_if_pipeline_succeeds: true,
  only_allow_merge_if_all_discussions_are_resolved: true,
}

describe('a day of a team', () => {
  const scene = openForFile(openScene)

  /** Runs the next job, once there is one. */
  async function runNext(ending: 'success' | 'failed'): Promise<void> {
    const { runner } = scene()
    await expect
      .poll(async () => {
        const response = await runner.request()
        if (response.status !== 201) return undefined
        const job = (await response.json()) as { id: number; token: string }
        await runner.update(job, ending, ending === 'failed' ? { failure_reason: 'script_failure' } : {})
        return job.id
      })
      .toBeGreaterThan(0)
  }

  const open = async (path: string, as: Person, options: object = {}): Promise<Page> =>
    (await openPage(scene().service, path, { as, ...options })).page

  it('leads from a bug to the release that mends it', async () => {
    const { service, ada, ben, rita, project } = scene()

    const reporter = await open(`/${project.path}/-/issues/new?issuable_template=Bug`, rita)
    await reporter.getByLabel('Title').fill('The last line is lost')
    const description = reporter.getByRole('textbox', { name: 'Description' })
    await expect.poll(() => description.inputValue()).toContain('What should happen')
    await reporter.getByRole('button', { name: 'Create issue' }).click()
    await reporter.getByRole('heading', { name: 'The last line is lost #1' }).waitFor()

    await pushBranch(service, project, ben, '1-read-the-last-line', { 'reader.txt': `${READER}line 13` })
    const author = await open(`/${project.path}`, ben)
    await author.getByRole('link', { name: 'New merge request' }).click()
    await author.getByRole('textbox', { name: 'Description' }).fill('Closes #1')
    await author.getByRole('button', { name: 'Create merge request' }).click()
    await author.getByRole('heading', { name: /!1$/ }).waitFor()
    await runNext('failed')
    await author.getByText('Developers can push a fix').waitFor()
    expect(await looksRight(author)).toEqual([])

    const reviewer = await open(`/${project.path}/-/merge_requests/1/diffs`, ada)
    await reviewer.locator('[data-note]').last().click()
    const comment = reviewer.getByRole('textbox', { name: /Comment on line/ })
    await comment.fill('Ends without a newline.\n\n```suggestion\nline 13, with an end\n```')
    await reviewer.getByRole('button', { name: 'Start a thread' }).click()
    await reviewer.getByRole('article', { name: 'Comment by ada' }).waitFor()

    await author.getByRole('button', { name: 'New comment by ada: show' }).click()
    await author.getByRole('button', { name: 'Apply' }).first().click()
    // An applied suggestion resolves its thread.
    await author.getByText('Resolved by').waitFor()
    await runNext('success')

    await reviewer.goto(`${service.url}/${project.path}/-/merge_requests/1`)
    await reviewer.getByRole('button', { name: 'Approve' }).click()
    await reviewer.getByText('Approved by').waitFor()
    await reviewer.getByRole('button', { name: 'Add to the merge train', exact: true }).click()
    await runNext('success')
    await reviewer.getByText(/Merged by/).waitFor()
    expect(await looksRight(reviewer)).toEqual([])
    await reporter.getByText('Closed', { exact: true }).first().waitFor()

    await reviewer.goto(`${service.url}/${project.path}/-/releases/new`)
    await reviewer.getByLabel('Tag', { exact: true }).fill('v1.0')
    await reviewer.getByLabel('Create the tag from').waitFor()
    await reviewer.getByRole('button', { name: 'Create release' }).click()
    await reviewer.getByRole('heading', { level: 1, name: /v1\.0/ }).waitFor()
  })

  it('lets a maintainer read, discuss, approve and merge on a phone', async () => {
    const { service, ada, ben, project } = scene()
    await pushBranch(service, project, ben, 'shorter', { 'reader.txt': 'one line\n' })
    const { iid } = await service.json<{ iid: number }>(
      'POST',
      `/projects/${project.id}/merge_requests`,
      { source_branch: 'shorter', target_branch: 'main', title: 'Keep one line' },
      ben,
    )
    await runNext('success')
    const phone = await open('/', ada, { width: 360, height: 740 })
    await phone.goto(`${service.url}/${project.path}/-/merge_requests/${iid}/diffs`)
    await phone.getByText('one line').first().waitFor()
    expect(await looksRight(phone)).toEqual([])
    await phone.goto(`${service.url}/${project.path}/-/merge_requests/${iid}`)
    await phone
      .getByRole('textbox', { name: /comment/i })
      .first()
      .fill('Short is good.')
    await phone.getByRole('button', { name: 'Comment', exact: true }).click()
    await phone.getByRole('article', { name: 'Comment by ada' }).getByText('Short is good.').waitFor()
    await phone.getByRole('button', { name: 'Approve' }).click()
    await phone.getByText('Approved by').waitFor()
    await phone.getByRole('button', { name: 'Merge now' }).click()
    await phone.getByText(/Merged by/).waitFor()
    // What the bar of the page covers is no target.
    await phone.evaluate('scrollTo(0, 0)')
    expect(await looksRight(phone)).toEqual([])
  })
})

async function pushBranch(
  service: Service,
  project: ServedProject,
  by: Person,
  branch: string,
  files: Record<string, string>,
): Promise<void> {
  const actions = Object.entries(files).map(([file_path, content]) => ({
    action: 'update',
    file_path,
    content,
  }))
  await service.json(
    'POST',
    `/projects/${project.id}/repository/commits`,
    { branch, start_branch: 'main', commit_message: 'Read the last line', actions },
    by,
  )
}
