import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('epics', () => {
  const service = openForFile(() => Service.start())

  it('are discussed in threads, which nobody resolves', async () => {
    const as = service().root
    const group = await service().json<{ id: number }>('POST', '/groups', { name: 'Goals', path: 'goals' })
    await service().json('POST', `/groups/${group.id}/epics`, { title: 'A faster map' })
    const { page } = await openPage(service(), '/groups/goals/-/epics/1', { as })
    await page.getByRole('textbox', { name: 'New comment' }).fill('How fast?')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const thread = page.getByRole('group', { name: /^Thread of / })
    await thread.getByRole('button', { name: 'Reply' }).click()
    await thread.getByRole('textbox', { name: 'Reply' }).fill('A second.')
    await thread.getByRole('button', { name: 'Reply' }).click()
    await thread.getByRole('article').getByText('A second.').waitFor()
    expect(await thread.getByRole('button', { name: /the thread$/ }).count()).toBe(0)
    expect(await looksRight(page)).toEqual([])
  })
})
