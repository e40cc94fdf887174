import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const GUEST = 10
const TEMPLATE = '## What happens\n\n- [ ] Reproduced\n'

describe('issues', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const [ada, ben] = [await service.addPerson('ada'), await service.addPerson('ben')]
    const files = { 'README.md': '', '.gitlab/issue_templates/Bug.md': TEMPLATE }
    const project = await service.addProject(files, ada, { visibility: 'public' })
    const P = `/projects/${project.id}`
    await service.json('POST', `${P}/members`, { user_id: ben.id, access_level: GUEST }, ada)
    for (const [name, color] of [
      ['bug', '#d1242f'],
      ['needs design', '#8250df'],
    ])
      await service.json('POST', `${P}/labels`, { name, color }, ada)
    await service.json('POST', `${P}/issues`, { title: 'The other one', labels: 'bug' }, ada)
    return { service, ada, ben, project, P }
  })

  it('are written with a template and names that are completed, and are kept until they are sent', async () => {
    const { service, ada, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/issues`, { as: ada })
    await page.getByRole('link', { name: 'The other one' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    // The key that opens the chosen row of the list follows the link that has the focus.
    await page.getByRole('link', { name: 'New issue' }).press('Enter')
    await page.getByLabel('Title').fill('Tiles are requested twice')
    await page.getByLabel('Template').selectOption('Bug')
    const text = page.getByRole('textbox', { name: 'Description' })
    await expect.poll(() => text.inputValue()).toBe(TEMPLATE)
    await text.press('Control+End')
    await text.pressSequentially('See #1, ask @ad')
    await page.getByRole('option', { name: '@ada' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await text.press('Enter')
    await expect.poll(() => text.inputValue()).toBe(`${TEMPLATE}See #1, ask @ada `)
    await page.reload()
    await expect.poll(() => text.inputValue()).toBe(`${TEMPLATE}See #1, ask @ada `)
    await page.getByRole('tab', { name: 'Preview' }).click()
    await page.getByRole('link', { name: '@ada' }).waitFor()
    await page.getByRole('tab', { name: 'Preview' }).press('ArrowLeft')
    await page.getByRole('button', { name: 'Edit labels' }).click()
    await page.getByRole('checkbox', { name: 'needs design' }).check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await text.press('Control+Enter')
    await page.getByRole('heading', { name: 'Tiles are requested twice' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/${project.path}/-/issues/2`)
    await page.getByRole('checkbox', { name: 'Reproduced' }).check()
    await page.getByText('marked the').or(page.getByText('changed the description')).first().waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('are discussed: what others write is announced, and nothing moves until the reader wants it', async () => {
    const { service, ada, ben, project, P } = scene()
    const { page } = await openPage(service, `/${project.path}/-/issues/1`, { as: ada })
    const field = page.getByRole('textbox', { name: 'New comment' })
    await field.fill('Is it **urgent**?')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const own = page.getByRole('article', { name: 'Comment by ada' })
    await own.getByText('urgent').waitFor()
    await field.fill('I am still writing')
    const discussions = await service.json<{ id: string }[]>(
      'GET',
      `${P}/issues/1/discussions`,
      undefined,
      ben,
    )
    const [discussion] = discussions.slice(-1)
    await service.json('POST', `${P}/issues/1/discussions/${discussion?.id}/notes`, { body: 'Yes.' }, ben)
    const announced = page.getByRole('button', { name: 'New comment by ben: show' })
    await announced.waitFor()
    expect(await page.getByText('Yes.').count()).toBe(0)
    await announced.click()
    const reply = page.getByRole('article', { name: 'Comment by ben' })
    await reply.getByText('Yes.').waitFor()
    expect(await field.inputValue()).toBe('I am still writing')
    await reply.getByRole('button', { name: 'React' }).click()
    await page.getByRole('button', { name: 'tada' }).click()
    await reply.getByRole('button', { name: 'tada: 1', pressed: true }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Close issue' }).first().click()
    await page.getByRole('button', { name: 'Reopen issue' }).first().waitFor()
    await field.fill('/reopen')
    await field.press('Control+Enter')
    await page.getByRole('button', { name: 'Close issue' }).first().waitFor()
  })

  it('are found by words and changed together', async () => {
    const { service, ada, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/issues?label_name=bug`, { as: ada })
    const filter = page.getByRole('combobox', { name: 'Filter issues' })
    await page.getByRole('link', { name: 'The other one' }).waitFor()
    expect(await filter.inputValue()).toBe('label:bug')
    await filter.fill('author:')
    await page.getByRole('option', { name: 'author:ada' }).click()
    const rows = page.getByRole('list', { name: 'Issues' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    for (const iid of [1, 2]) await page.getByRole('checkbox', { name: `Select #${iid}` }).check()
    await page.getByRole('button', { name: 'Edit assignees' }).click()
    await page.getByRole('checkbox', { name: 'ben @ben' }).check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('2 issues were changed').waitFor()
    await expect.poll(() => rows.getByTitle('@ben').count()).toBe(2)
  })

  testAtNight('are sorted by labels and milestones, which have pages of their own', async () => {
    const { service, ada, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/labels`, { as: ada })
    await page.getByRole('link', { name: 'bug' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'New label' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('urgent')
    await dialog.getByLabel('Priority').fill('0')
    await dialog.getByRole('button', { name: 'Create label' }).click()
    await page.getByText('Priority 0').waitFor()
    await page.getByRole('button', { name: 'Delete urgent' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Priority 0').waitFor({ state: 'detached' })

    await page.goto(`${service.url}/${project.path}/-/milestones`)
    await page.getByText('There is no open milestone.').waitFor()
    await page.getByRole('button', { name: 'New milestone' }).click()
    await dialog.getByLabel('Title').fill('Version 2')
    await dialog.getByLabel('Description').fill('All that is **late**')
    await dialog.getByRole('button', { name: 'Create milestone' }).click()
    await page.getByText('late').waitFor()
    await page.getByText('The milestone has no issue yet.').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Close milestone' }).click()
    await page.getByRole('button', { name: 'Reopen milestone' }).waitFor()
  })

  it('show visitors and guests what they may do, and no confidential issue', async () => {
    const { service, ada, ben, project, P } = scene()
    const { iid } = await service.json<{ iid: number }>(
      'POST',
      `${P}/issues`,
      { title: 'Nobody must know', confidential: true },
      ada,
    )
    const visitor = await openPage(service, `/${project.path}/-/issues`, {})
    await visitor.page.getByRole('link', { name: 'The other one' }).click()
    await visitor.page.getByText('Sign in to comment').waitFor()
    expect(await visitor.page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    expect(await looksRight(visitor.page)).toEqual([])
    const guest = await openPage(service, `/${project.path}/-/issues/${iid}`, {
      as: ben,
      expectedFailures: /^404 /,
    })
    await guest.page.getByText('There is nothing here that you may see.').waitFor()
  })

  it('change in their list while it is read, and new ones are announced above it', async () => {
    const { service, ada, ben, project, P } = scene()
    const add = (title: string) =>
      service.json<{ iid: number }>('POST', `${P}/issues`, { title, labels: 'listed' }, ada)
    const { iid } = await add('Listed first')
    const { page } = await openPage(service, `/${project.path}/-/issues?label_name[]=listed`, { as: ben })
    const rows = page.getByRole('list', { name: 'Issues' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(1)
    await add('Listed second')
    const show = page.getByRole('button', { name: '1 new issue: show' })
    await show.waitFor()
    await service.json('PUT', `${P}/issues/${iid}`, { title: 'Was first', state_event: 'close' }, ada)
    await rows.getByRole('img', { name: 'Closed' }).waitFor()
    expect(await rows.getByRole('link').first().innerText()).toBe('Was first')
    expect(await looksRight(page)).toEqual([])
    await show.click()
    await page.getByRole('link', { name: 'Listed second' }).waitFor()
    await expect.poll(() => rows.count()).toBe(1)
  })

  testAtNight('are moved on a board with the mouse and with keys, and collected by epics', async () => {
    const { service, ada, project, P } = scene()
    const post = <Made>(path: string, body: object) => service.json<Made>('POST', path, body, ada)
    const { id: label } = await post<{ id: number }>(`${P}/labels`, { name: 'doing', color: '#0969da' })
    const board = await post<{ id: number }>(`${P}/boards`, { name: 'Development' })
    const list = await post<{ id: number }>(`${P}/boards/${board.id}/lists`, { label_id: label })
    const { iid } = await post<{ iid: number }>(`${P}/issues`, { title: 'Drag me' })
    const path = `/${project.path}/-/boards?filter=Drag`
    const { page } = await openPage(service, path, { as: ada, expectedFailures: /^500 .*\/issues\// })
    const open = page.getByRole('list', { name: 'Issues in Open' }).getByRole('link')
    const doing = page.getByRole('list', { name: 'Issues in doing' }).getByRole('link')
    await expect.poll(() => open.allInnerTexts()).toEqual(['Drag me'])
    expect(await looksRight(page)).toEqual([])

    const target = await page.locator(`[data-list="${list.id}"]`).boundingBox()
    await open.hover()
    await page.mouse.down()
    await page.mouse.move((target?.x ?? 0) + 80, (target?.y ?? 0) + 90, { steps: 4 })
    await page.mouse.up()
    await page.getByText(`#${iid} Drag me is in doing, 1 of 1.`).waitFor()
    await expect.poll(() => doing.count()).toBe(1)
    const labels = async () => (await service.json<{ labels: string[] }>('GET', `${P}/issues/${iid}`)).labels
    await expect.poll(labels).toEqual(['doing'])

    await doing.focus()
    for (const key of ['Space', 'ArrowRight', 'Escape']) await page.keyboard.press(key)
    await page.getByText('is back where it was').waitFor()
    await page.route(/\/issues\/\d+$/, (route) =>
      route.fulfill({ status: 500, json: { message: 'Not now' } }),
    )
    for (const key of ['Space', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
    await page.getByText('was taken back: Not now').waitFor()
    await expect.poll(() => doing.count()).toBe(1)
    await page.unroute(/\/issues\/\d+$/)
    for (const key of ['Space', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await page.getByText('is in Closed, 1 of 1.').waitFor()
    await expect
      .poll(async () => (await service.json<{ state: string }>('GET', `${P}/issues/${iid}`)).state)
      .toBe('closed')
    // What is changed elsewhere appears by itself.
    await service.json('PUT', `${P}/issues/${iid}`, { state_event: 'reopen' }, ada)
    await expect.poll(() => doing.count()).toBe(1)
    await post(`${P}/issues`, { title: 'Drag me, too', labels: 'doing' })
    await expect.poll(() => doing.count()).toBe(2)

    const group = await post<{ id: number; path: string }>('/groups', { name: 'Goals', path: 'goals' })
    await page.goto(`${service.url}/groups/${group.path}/-/epics`)
    await page.getByRole('link', { name: 'New epic' }).first().click()
    await page.getByLabel('Title').fill('A faster map')
    await page.getByRole('button', { name: 'Create epic' }).click()
    await page.getByRole('button', { name: 'Add an issue' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').fill(`${project.path}#${iid}`)
    await dialog.getByRole('option', { name: 'Drag me' }).click()
    await dialog.getByRole('button', { name: 'Add issue' }).click()
    await page.getByText('Issues: 0 of 1 closed').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Drag me' }).click()
    await page.getByRole('link', { name: 'A faster map' }).waitFor()
  })
})
