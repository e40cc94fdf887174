import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const DEVELOPER = 30
const READER = Array.from({ length: 40 }, (_, line) => `line ${line + 1}\n`).join('')

describe('merge requests', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const [ada, ben] = [await service.addPerson('ada'), await service.addPerson('ben')]
    const project = await service.addProject({ 'reader.txt': READER }, ada, { visibility: 'public' })
    const P = `/projects/${project.id}`
    await service.json('POST', `${P}/members`, { user_id: ben.id, access_level: DEVELOPER }, ada)
    const change = (content: string, start = {}) =>
      service.json(
        'POST',
        `${P}/repository/commits`,
        {
          branch: '7-read-the-last-line',
          commit_message: 'Read the last line\n\nIt was lost.',
          actions: [{ action: 'update', file_path: 'reader.txt', content }],
          ...start,
        },
        ben,
      )
    await change(READER.replace('line 20', 'line twenty'), { start_branch: 'main' })
    await service.json('PUT', P, { only_allow_merge_if_all_discussions_are_resolved: true }, ada)
    return { service, ada, ben, project, P, change }
  })

  it('are written for a branch, reviewed on lines, and merged when nothing is left to do', async () => {
    const { service, ada, ben, project, P, change } = scene()
    const { page } = await openPage(service, `/${project.path}/-/merge_requests`, { as: ben })
    let whenTyped = () => {}
    const typed = new Promise<void>((resolve) => (whenTyped = resolve))
    await page.route('**/repository/branches?*', async (route) => {
      await typed
      await route.continue()
    })
    await page.getByRole('link', { name: 'New merge request' }).first().click()
    await page.getByLabel('Source branch').fill('7-read-the-last-line')
    // Suggestions that arrive now leave what is typed alone.
    whenTyped()
    await page.locator('datalist option').first().waitFor({ state: 'attached' })
    await page.getByLabel('Source branch').press('Tab')
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Read the last line')
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('It was lost.')
    await page.getByText('line twenty').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Create merge request' }).click()
    await page.getByRole('heading', { name: 'Read the last line !1' }).waitFor()
    await page.getByText('The branches have no conflicts.').waitFor()

    const review = await openPage(service, `/${project.path}/-/merge_requests/1/diffs`, { as: ada })
    const ofAda = review.page
    await ofAda.getByText('line twenty').waitFor()
    await ofAda.locator('body').press('v')
    await ofAda.getByText('1 / 1 viewed').waitFor()
    await ofAda.locator('body').press('v')
    await ofAda.getByText('0 / 1 viewed').waitFor()
    await ofAda.getByRole('button', { name: 'More about reader.txt' }).click()
    await ofAda.getByRole('button', { name: 'Comment on a line…' }).click()
    await ofAda.getByLabel('Line', { exact: true }).fill('20')
    await ofAda.getByRole('button', { name: 'Write a comment' }).click()
    await ofAda.getByRole('textbox', { name: 'Comment on line 20' }).fill('Digits, please.')
    await ofAda.getByRole('button', { name: 'Start a review' }).click()
    const draft = ofAda.getByRole('article', { name: 'Comment in your review' })
    await draft.getByText('Digits, please.').waitFor()
    const { user_notes_count: sent } = await service.json<{ user_notes_count: number }>(
      'GET',
      `${P}/merge_requests/1`,
      undefined,
      ben,
    )
    expect(sent).toBe(0)
    expect(await looksRight(ofAda)).toEqual([])
    await ofAda.getByRole('button', { name: 'Send the review' }).click()
    await ofAda.getByRole('article', { name: 'Comment by ada' }).getByText('Digits, please.').waitFor()
    await draft.waitFor({ state: 'detached' })

    const box = page.getByText('All threads must be resolved.')
    await box.waitFor()
    await page.getByRole('button', { name: 'New comment by ada: show' }).click()
    await page.getByRole('link', { name: 'reader.txt:20' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await change(READER.replace('line 20', 'line 20.0'))
    await page.getByRole('button', { name: 'Resolve the thread' }).click()
    await box.waitFor({ state: 'detached' })
    await page.getByText('All threads are resolved.').waitFor()
    await page.getByText('The branches have no conflicts.').waitFor()
    expect(await page.getByRole('button', { name: 'Merge', exact: true }).isDisabled()).toBe(true)

    const actions = [
      { action: 'update', file_path: 'reader.txt', content: READER.replace('line 20', 'line XX') },
    ]
    const conflicting = { branch: 'main', commit_message: 'Use Roman digits', actions }
    await service.json('POST', `${P}/repository/commits`, conflicting, ada)
    await page.getByRole('button', { name: 'Resolve the conflicts here' }).click()
    await page.getByText('1 conflict is left.').waitFor()
    expect(await looksRight(page)).toEqual([])
    const editor = page.getByRole('textbox', { name: 'Content of reader.txt' })
    await page.getByRole('button', { name: 'Use 7-read-the-last-line' }).click()
    await page.getByText('No conflict is left.').waitFor()
    // Tab indents; Escape, then Tab, leaves the editor.
    await editor.focus()
    for (const key of ['Control+Home', 'X', 'Enter', 'Escape', 'Tab']) await page.keyboard.press(key)
    expect(await page.locator(':focus').innerText()).toBe('Commit to 7-read-the-last-line')
    await page.keyboard.press('Enter')
    await page.getByText('The branches have no conflicts.').waitFor()
    const file = `${P}/repository/files/reader.txt?ref=7-read-the-last-line`
    const { content } = await service.json<{ content: string }>('GET', file, undefined, ben)
    expect(Buffer.from(content, 'base64').toString()).toMatch(/^X\n/)

    await ofAda.goto(`${service.url}/${project.path}/-/merge_requests/1`)
    await ofAda.getByLabel('Delete the source branch').check()
    await ofAda.getByRole('button', { name: 'Merge', exact: true }).click()
    await ofAda.getByText(/Merged by/).waitFor()
    expect(await looksRight(ofAda)).toEqual([])
    await ofAda.getByRole('link', { name: 'Merge requests' }).click()
    await ofAda.getByRole('link', { name: 'Merged' }).click()
    await ofAda.getByRole('link', { name: 'Read the last line' }).waitFor()
  })
})
