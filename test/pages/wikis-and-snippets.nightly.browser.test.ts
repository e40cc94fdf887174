import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('wikis and snippets', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const ada = await service.addPerson('ada')
    const project = await service.addProject({ 'README.md': '' }, ada, { visibility: 'public' })
    return { service, ada, project, P: `/projects/${project.id}` }
  })

  it('a page is written, changed by two people without a loss, and compared with what it was', async () => {
    const { service, ada, project, P } = scene()
    const wiki = `/${project.path}/-/wikis`
    const { page } = await openPage(service, wiki, { as: ada, expectedFailures: /^(404 .*Next$|409 )/ })
    await page.getByRole('link', { name: 'Write the first page' }).click()
    const text = page.getByRole('textbox', { name: 'Content' })
    await text.fill('See [[Guide/Next]].\n')
    await page.reload()
    await expect.poll(() => text.inputValue()).toBe('See [[Guide/Next]].\n')
    await page.getByRole('button', { name: 'Create page' }).click()
    await page.getByRole('link', { name: 'Guide/Next' }).click()
    await page.getByRole('link', { name: 'Write it' }).click()
    await text.fill('One\n')
    await page.getByLabel('Commit message').fill('Begin the guide')
    await page.getByRole('button', { name: 'Create page' }).click()
    await page
      .getByRole('navigation', { name: 'Pages of the wiki' })
      .getByRole('link', { name: 'Next' })
      .waitFor()

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await text.fill('Mine\n')
    await service.json('PUT', `${P}/wikis/Guide%2FNext`, { content: 'Theirs\n' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('region', { name: 'Changes of Guide/Next.md' }).getByText('Theirs').waitFor()
    expect(await text.inputValue()).toBe('Mine\n')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByRole('link', { name: 'History' }).click()
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await expect.poll(() => versions.count()).toBe(3)
    await versions.filter({ hasText: 'Begin the guide' }).getByRole('link', { name: 'Compare' }).click()
    const change = page.getByRole('region', { name: 'Changes of Guide/Next.md' })
    await expect.poll(() => change.textContent()).toContain('−One+Mine')
    await page.goto(`${service.url}${wiki}/Guide/Next`)
    await page.getByRole('button', { name: 'More about the page' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  it('a snippet of several files is written, changed, commented on, and read by everybody', async () => {
    const { service, ada, project, P } = scene()
    const { page } = await openPage(service, `/${project.path}/-/snippets`, {
      as: ada,
      expectedFailures: /^409 /,
    })
    await page.getByRole('link', { name: 'New snippet' }).first().click()
    await page.getByLabel('Title').fill('Count')
    await page.getByLabel('Visibility').selectOption('public')
    await page.getByLabel('File name').fill('count.sh')
    await page.getByLabel('Content of count.sh').fill('wc -l')
    await page.getByRole('button', { name: 'Add a file' }).click()
    await page.getByLabel('Content of file2.txt').fill('rest')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Create snippet' }).click()
    await page.getByRole('region', { name: 'file2.txt' }).getByText('rest').waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Remove file2.txt' }).click()
    await page.getByLabel('File name').fill('lines.sh')
    const [{ id } = { id: 0 }] = await service.json<{ id: number }[]>('GET', `${P}/snippets`, undefined, ada)
    await service.json('PUT', `${P}/snippets/${id}`, { title: 'Theirs' }, ada)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Somebody has saved this snippet since you began.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByRole('region', { name: 'lines.sh' }).getByText('wc -l').waitFor()
    expect(await page.getByRole('region', { name: 'file2.txt' }).count()).toBe(0)
    await page.getByRole('textbox', { name: 'New comment' }).fill('Short.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('article', { name: 'Comment by ada' }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    const raw = await page.getByRole('textbox', { name: 'Raw: lines.sh' }).inputValue()
    expect(await (await fetch(raw)).text()).toBe('wc -l')

    const own = { title: 'Own', description: 'Of **mine**', file_name: 'a', content: 'mine' }
    const add = (path: string, visibility: string) =>
      service.json<{ web_url: string }>('POST', path, { ...own, visibility }, ada)
    const [open, hidden] = [await add('/snippets', 'public'), await add(`${P}/snippets`, 'private')]
    const visitor = await openPage(service, new URL(open.web_url).pathname, { expectedFailures: /^404 / })
    await visitor.page.getByRole('region', { name: 'a', exact: true }).getByText('mine').waitFor()
    expect(await visitor.page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
    expect(await visitor.page.locator('strong').filter({ hasText: 'mine' }).count()).toBe(1)
    await visitor.page.goto(hidden.web_url)
    await visitor.page.getByRole('heading', { name: 'There is nothing here that you may see.' }).waitFor()
    expect(await visitor.page.content()).not.toContain('Own')
  })
})
