import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

async function openScene() {
  const service = await Service.start()
  const project = await service.addProject({ 'README.md': '# App\n\n## Use\n' }, service.root, {
    name: 'App',
    path: 'app',
    visibility: 'public',
  })
  await service.json('POST', `/projects/${project.id}/releases`, {
    tag_name: 'v1.0',
    ref: 'main',
    description: '# First\n\nIt works.',
    assets: { links: [{ name: 'app.tar.gz', url: 'https://example.com/app.tar.gz', link_type: 'package' }] },
  })
  await service.push(project, { 'reader.txt': 'x\n' })
  return { service, project, reader: await service.addPerson('rita') }
}

describe('releases', () => {
  const scene = openForFile(openScene)

  it('are written from commits, changed and deleted', async () => {
    const { service, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/releases`, { as: service.root })
    await page.getByRole('article', { name: 'v1.0' }).getByText('It works.').waitFor()
    await page.getByRole('link', { name: 'New release' }).click()
    await page.getByLabel('Tag', { exact: true }).fill('v1.1')
    await page.getByLabel('Create the tag from').waitFor()
    await page.getByRole('button', { name: 'Draft from commits' }).click()
    const notes = page.getByLabel('Release notes', { exact: true }).and(page.getByRole('textbox'))
    await expect.poll(() => notes.inputValue()).toMatch(/- reader.txt \([0-9a-f]{8}\)/)
    await page.getByRole('button', { name: 'Add link' }).click()
    await page.getByLabel('Name of link 1').fill('docs')
    await page.getByLabel('URL of link 1').fill('https://example.com/docs')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Create release' }).click()

    await page.getByRole('heading', { level: 1, name: 'v1.1 Latest' }).waitFor()
    await page.getByRole('link', { name: 'Changes since v1.0' }).waitFor()
    await page.getByRole('button', { name: 'Collect evidence' }).click()
    await page.getByRole('link', { name: 'Snapshot' }).first().waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Title').fill('Second')
    await page.getByRole('button', { name: 'Remove link 1' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: 'What is new' }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Second Latest' }).waitFor()
    expect(await page.getByRole('link', { name: 'docs' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete release' }).click()
    await page.getByRole('article', { name: 'v1.0' }).waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
  })

  it('are shown to readers, below one heading', async () => {
    const { service, project, reader } = scene()
    const { page } = await openPage(service, `/${project.path}`, { as: reader })
    // The heading of the README is below that of the project.
    await page.locator('h1[aria-level="3"]', { hasText: 'App' }).waitFor()
    expect(await page.locator('h1:not([aria-level])').count()).toBe(1)
    await page.getByRole('complementary').getByRole('link', { name: 'v1.0' }).click()
    await page.getByRole('link', { name: /^app.tar.gz/ }).waitFor()
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
    await page.getByRole('navigation').getByRole('link', { name: 'Releases' }).click()
    await page.getByRole('article', { name: 'v1.0' }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })
})
