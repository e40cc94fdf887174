import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { openPage } from './support/browser.js'

const DEVELOPER = 30
const READER = Array.from({ length: 40 }, (_, line) => `line ${line + 1}\n`).join('')
/** More than any page here has. */
const MAX_STOPS = 150

async function openScene() {
  const service = await Service.start()
  const [ada, ben] = [await service.addPerson('ada'), await service.addPerson('ben')]
  const files = { 'reader.txt': READER, 'writer.txt': READER }
  const project = await service.addProject(files, ada, { visibility: 'public' })
  const P = `/projects/${project.id}`
  const post = <Made>(path: string, body: object, as = ada) =>
    service.json<Made>('POST', `${P}/${path}`, body, as)
  await post('members', { user_id: ben.id, access_level: DEVELOPER })
  const content = READER.replace('line 20', 'line twenty')
  await post(
    'repository/commits',
    {
      branch: 'twenty',
      start_branch: 'main',
      commit_message: 'Write a number as a word',
      actions: Object.keys(files).map((file_path) => ({ action: 'update', file_path, content })),
    },
    ben,
  )
  const made = { source_branch: 'twenty', target_branch: 'main', title: 'Write a number as a word' }
  await post('merge_requests', made, ben)
  const { id: label } = await post<{ id: number }>('labels', { name: 'bug', color: '#d1242f' })
  await post('issues', { title: 'Not found by the filter' })
  await post('issues', { title: 'Numbers are hard to read', labels: 'bug' })
  const { id: board } = await post<{ id: number }>('boards', { name: 'Development' })
  await post(`boards/${board}/lists`, { label_id: label })
  return { service, ada, project, P }
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const focused = target.and(page.locator(':focus'))
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if ((await focused.count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${target.toString()}`)
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

describe('without a mouse', () => {
  const scene = openForFile(openScene)

  it('a merge request is opened, reviewed on a line, approved and merged', async () => {
    const { service, ada, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/merge_requests`, { as: ada })
    const follow = async (target: Locator) => {
      await tabTo(page, target)
      await press(page, 'Enter')
    }
    await page.getByRole('link', { name: 'Write a number as a word' }).waitFor()
    // The focus of a link does not keep the chosen row from being opened.
    await tabTo(page, page.getByRole('link', { name: 'Merged' }))
    await press(page, 'j', 'Enter')
    await page.getByRole('heading', { name: 'Write a number as a word !1' }).waitFor()
    await follow(page.getByRole('link', { name: /^Changes/ }))
    await page.getByText('line twenty').first().waitFor()

    await follow(page.getByRole('button', { name: 'More about reader.txt' }))
    await follow(page.getByRole('button', { name: 'Comment on a line…' }))
    const line = page.getByLabel('Line', { exact: true })
    await tabTo(page, line)
    await page.keyboard.type('20')
    await follow(page.getByRole('button', { name: 'Write a comment' }))
    const comment = page.getByRole('textbox', { name: 'Comment on line 20' })
    await tabTo(page, comment)
    await page.keyboard.type('Digits, please.')
    await follow(page.getByRole('button', { name: 'Start a review' }))
    await page.getByRole('article', { name: 'Comment in your review' }).getByText('Digits, please.').waitFor()
    await follow(page.getByRole('button', { name: 'Send the review' }))
    await page.getByRole('article', { name: 'Comment by ada' }).waitFor()

    // The first file, then the second one, which is marked; then the thread of the first one.
    await press(page, 'k', 'j', 'v')
    await page.getByText('1 / 2 viewed').waitFor()
    await press(page, 'n')
    await page.getByText('Digits, please.').waitFor()
    expect(await page.getByText('Digits, please.').isVisible()).toBe(true)

    const tabs = page.getByRole('navigation', { name: 'Merge request', exact: true })
    await follow(tabs.getByRole('link', { name: /^Overview/ }))
    await follow(page.getByRole('button', { name: 'Approve' }))
    await page.getByText('Approved by').waitFor()
    await follow(page.getByRole('button', { name: 'Merge', exact: true }))
    await page.getByText(/Merged by/).waitFor()
  })

  it('an issue is found by a filter, opened, commented and moved on the board', async () => {
    const { service, ada, project, P } = scene()
    const { page } = await openPage(service, `/${project.path}/-/issues`, { as: ada })
    const rows = page.getByRole('list', { name: 'Issues' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    await press(page, '/')
    await page.keyboard.type('label:bug')
    await press(page, 'Enter')
    await expect.poll(() => rows.count()).toBe(1)
    await press(page, 'Tab', 'j', 'Enter')
    await page.getByRole('heading', { name: 'Numbers are hard to read #2' }).waitFor()
    await tabTo(page, page.getByRole('textbox', { name: 'New comment' }))
    await page.keyboard.type('They are.')
    await press(page, 'Control+Enter')
    await page.getByRole('article', { name: 'Comment by ada' }).getByText('They are.').waitFor()

    await page.goto(`${service.url}/${project.path}/-/boards`)
    const card = page.getByRole('list', { name: 'Issues in bug' }).getByRole('link')
    await tabTo(page, card)
    await press(page, 'Space', 'ArrowRight', 'Enter')
    await page.getByText('is in Closed, 1 of 1.').waitFor()
    const issue = () => service.json<{ state: string }>('GET', `${P}/issues/2`)
    await expect.poll(async () => (await issue()).state).toBe('closed')
  })
})
