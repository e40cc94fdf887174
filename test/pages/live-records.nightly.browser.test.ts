import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('what others write, change and delete arrives without a reload', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const ada = await service.addPerson('ada')
    const ben = await service.addPerson('ben')
    const project = await service.addProject({ 'README.md': '' }, ada, { visibility: 'public' })
    const P = `/projects/${project.id}`
    await service.json('POST', `${P}/members`, { user_id: ben.id, access_level: 40 }, ada)
    return { service, ada, ben, project, P }
  })

  const other = (method: 'POST' | 'PUT', path: string, body: object) =>
    scene().service.json<{ id: number }>(method, path, body, scene().ben)
  const otherDeletes = (path: string) => scene().service.fetch('DELETE', path, { as: scene().ben })

  /** Waits until the page has been read: what comes later is new. */
  async function read(page: Page, heading: string): Promise<void> {
    await page.getByRole('heading', { name: heading }).waitFor()
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
  }

  async function showComment(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^New comment by ben/ }).click()
    await page.getByRole('article', { name: 'Comment by ben' }).getByText('Why?').waitFor()
  }

  it('on the page of an epic', async () => {
    const { service, ada } = scene()
    const group = await other('POST', '/groups', { name: 'Goals', path: 'goals', visibility: 'public' })
    const G = `/groups/${group.id}/epics`
    const epic = await other('POST', G, { title: 'A faster map' })
    const { page } = await openPage(service, '/groups/goals/-/epics/1', {
      as: ada,
      expectedFailures: /^404 /,
    })
    await read(page, 'A faster map')
    await other('POST', `${G}/${epic.id}/notes`, { body: 'Why?' })
    await showComment(page)
    await other('PUT', `${G}/1`, { title: 'A map in a second' })
    await page.getByRole('heading', { name: 'A map in a second' }).waitFor()
    const child = await other('POST', G, { title: 'Fewer tiles' })
    await other('POST', `${G}/1/epics/${child.id}`, {})
    await page.getByRole('link', { name: 'Fewer tiles' }).waitFor()
    await otherDeletes(`${G}/1`)
    await page.getByText('This epic was deleted.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('on the page of a snippet', async () => {
    const { service, ada, project, P } = scene()
    const made = { title: 'Notes', visibility: 'public', file_name: 'a.md', content: 'one' }
    const { id } = await other('POST', `${P}/snippets`, made)
    const address = `/${project.path}/-/snippets/${id}`
    const { page } = await openPage(service, address, { as: ada, expectedFailures: /^404 / })
    await read(page, 'Notes')
    await other('POST', `${P}/snippets/${id}/notes`, { body: 'Why?' })
    await showComment(page)
    await other('PUT', `${P}/snippets/${id}`, { title: 'More notes', content: 'two' })
    await page.getByRole('heading', { name: 'More notes' }).waitFor()
    await page.getByText('two').waitFor()
    await otherDeletes(`${P}/snippets/${id}`)
    await page.getByText('This snippet was deleted.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('on a page of a wiki, and in its editor', async () => {
    const { service, ada, project, P } = scene()
    for (const title of ['home', 'Plan'])
      await other('POST', `${P}/wikis`, { title, content: `${title} one` })
    const wiki = `/${project.path}/-/wikis`
    const { page } = await openPage(service, `${wiki}/Plan`, { as: ada, expectedFailures: /^404 / })
    await read(page, 'Plan')
    await other('PUT', `${P}/wikis/Plan`, { content: 'Plan two' })
    await page.getByText('Plan two').waitFor()
    await other('POST', `${P}/wikis`, { title: 'Later', content: 'x' })
    await page
      .getByRole('navigation', { name: 'Pages of the wiki' })
      .getByRole('link', { name: 'Later' })
      .waitFor()

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Content' })
    await text.fill('Mine')
    await other('PUT', `${P}/wikis/Plan`, { content: 'Plan three' })
    await page.getByText('ben has saved this page since you began.').waitFor()
    expect(await text.inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    await page.getByText('Mine').waitFor()

    await otherDeletes(`${P}/wikis/Plan`)
    await page.getByText('This page was deleted or renamed.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })
})
