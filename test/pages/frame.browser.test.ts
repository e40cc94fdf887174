import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { testAtNight, variants } from '../support/nightly.js'
import { findings, scrollsSideways } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('the frame of the pages', () => {
  const service = openForFile(() => Service.start())

  it('shows the user of the session', async () => {
    const { page } = await openPage(service(), '/', { as: service().root })
    await page.getByRole('button', { name: /^Account of/ }).click()
    expect(await page.getByText('@root').isVisible()).toBe(true)
  })

  it('asks a user whose session has ended to sign in, and then sends the request again', async () => {
    const eve = await service().addPerson('eve')
    const project = await service().addProject({}, eve)
    const { page, context } = await openPage(service(), `/${project.path}`, {
      as: eve,
      expectedFailures: /^40[14] /,
    })
    const star = page.getByRole('button', { name: /^Star/ }).first()
    await star.waitFor()
    const old = await context.cookies()
    await context.clearCookies()
    // The dialog covers the button already if a read of the page was the first to be refused.
    await star.dispatchEvent('click')
    const dialog = page.getByRole('dialog', { name: 'You have been signed out' })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('You are not signed in yet.').waitFor()
    const value = await service().openSession(eve)
    await context.addCookies(old.map((cookie) => Object.assign(cookie, { value })))
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Starred' }).waitFor()
  })

  it('disables changes while the server cannot be reached', async () => {
    const { page, context } = await openPage(service(), '/', {
      as: service().root,
      expectedFailures: /^5\d\d /,
    })
    const project = await service().addProject({})
    await page.getByRole('heading', { level: 1 }).waitFor()
    const absent = /\/api\/v4\/(live\?.*|user)$/
    await context.route(absent, (route) => route.fulfill({ status: 503, body: '' }))
    await page.keyboard.press('Control+k')
    await page
      .getByRole('combobox', { name: 'Page, project, issue, pipeline, file or command' })
      .fill(project.path)
    await page.getByRole('option', { name: `${project.path} Project` }).click()
    await page.getByText('Not live, trying again').waitFor()
    const star = page.getByRole('button', { name: /^Star/ }).first()
    const disabledStar = star.and(page.getByTitle('The server cannot be reached at the moment.'))
    await disabledStar.waitFor()
    expect(await star.isDisabled()).toBe(true)
    await context.unroute(absent)
    await disabledStar.waitFor({ state: 'detached' })
    expect(await star.isEnabled()).toBe(true)
  })

  it('names the role that a part of a page requires, and who assigns it', async () => {
    const project = await service().addProject({})
    const { page, context } = await openPage(service(), `/${project.path}`, {
      as: service().root,
      expectedFailures: /^403 /,
    })
    await page.getByRole('heading', { level: 1 }).waitFor()
    // A role may change after the page has asked for it.
    await context.route(/\/api\/v4\/projects\/[^/]+\/pipelines\?/, (route) =>
      route.fulfill({
        status: 403,
        headers: { 'x-required-role': 'maintainer', 'x-required-role-in': 'project' },
        json: { message: '403 Forbidden' },
      }),
    )
    await page.goto(`${service().url}/${project.path}/-/pipelines`)
    const needed =
      'This requires the role Maintainer in the project. Its maintainers and owners can assign it.'
    await page.getByText(needed).waitFor()
  })

  testAtNight(
    'keeps what it shows while the server has had too many requests, and continues by itself',
    async () => {
      const project = await service().addProject({ '.gitlab-ci.yml': 'test: { script: make }' })
      const { page, context } = await openPage(service(), `/${project.path}/-/pipelines`, {
        as: service().root,
        expectedFailures: /^429 /,
      })
      const rows = page.getByRole('list', { name: 'Pipelines' }).getByRole('link', { name: /^Pipeline \d+:/ })
      const following = page.waitForResponse(/\/api\/v4\/live\?.*project/)
      await page.reload()
      await following
      await rows.waitFor()
      const list = /\/api\/v4\/projects\/[^/]+\/pipelines\?/
      let refusals = 0
      await context.route(list, (route) => {
        refusals += 1
        return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: 'Retry later\n' })
      })
      // The stream announces the pipeline, and the page reads its list again.
      await service().json('POST', `/projects/${project.id}/pipeline?ref=main`)
      const waits = page.getByText('Too many requests. The page continues by itself at')
      await waits.waitFor()
      expect(await waits.innerText()).toMatch(/ at \d\d:\d\d:\d\d\.$/)
      expect(await rows.count()).toBe(1)
      expect(await findings(page)).toEqual([])
      // More often than a read that fails for another reason.
      await expect.poll(() => refusals, { timeout: 15_000 }).toBeGreaterThan(4)
      expect(await rows.count()).toBe(1)
      await context.unroute(list)
      await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(2)
      await waits.waitFor({ state: 'detached' })
    },
  )

  it.each(
    variants<['light' | 'dark', number]>(
      [['light', 1280]],
      [
        ['dark', 1280],
        ['light', 360],
        ['dark', 360],
      ],
    ),
  )('has no accessibility finding in the %s theme at %i px', async (theme, width) => {
    const { page } = await openPage(service(), '/', { as: service().root, theme, width })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await findings(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })

  testAtNight('goes to pages, branches and files by the palette', async () => {
    const owner = await service().addPerson('ada')
    const project = await service().addProject({ 'src/reader.ts': '1' }, owner)
    const { page } = await openPage(service(), `/${project.path}`, { as: owner })
    const field = page.getByRole('combobox', { name: 'Page, project, issue, pipeline, file or command' })
    const choose = async (text: string, option: string) => {
      await page.keyboard.press('Control+k')
      await field.fill(text)
      await page.getByRole('option', { name: option }).waitFor()
      return page.getByRole('option', { name: option })
    }
    await page.getByRole('heading', { level: 1 }).waitFor()
    await (await choose('mai', 'main Branch')).click()
    await page.waitForURL(/\/-\/tree\/main$/)
    await (await choose('reader', 'Find files with reader')).click()
    await page.getByRole('heading', { level: 1, name: 'Find file' }).waitFor()
    await page.getByRole('link', { name: 'src/reader.ts' }).waitFor()
    await (await choose('sett', 'Settings This project')).click()
    await page.getByRole('heading', { level: 1, name: 'General settings' }).waitFor()
  })

  testAtNight(
    'shows messages of administrators on the pages that they are for, until the reader closes them',
    async () => {
      const create = (body: object) => service().json<{ id: number }>('POST', '/broadcast_messages', body)
      const text = 'Down [tonight](https://status.example)'
      const banner = await create({ message: text, theme: 'light-red', dismissable: true })
      const other = await create({ message: 'Only there', target_path: '/explore/*' })
      for (const theme of ['light', 'dark'] as const) {
        const { page } = await openPage(service(), '/', { as: service().root, theme })
        await page.getByRole('heading', { level: 1 }).waitFor()
        const messages = page.getByRole('region', { name: 'Messages of this instance' })
        expect(await messages.getByRole('link', { name: 'tonight' }).getAttribute('href')).toContain('status')
        expect(await messages.getByText('Only there').count()).toBe(0)
        expect(await findings(page)).toEqual([])
        await messages.getByRole('button', { name: 'Close the message' }).click()
        await page.goto(`${service().url}/explore/projects`)
        await messages.getByText('Only there').waitFor()
        expect(await messages.getByText('Down').count()).toBe(0)
      }
      for (const { id } of [banner, other]) {
        await service().fetch('DELETE', `/broadcast_messages/${id}`, { as: service().root })
      }
    },
  )

  it('says the same about what does not exist and what the user may not see', async () => {
    const owner = await service().addPerson('owner')
    const stranger = await service().addPerson('stranger')
    const hidden = await service().addProject({}, owner)
    const texts = []
    for (const path of [`/${hidden.path}/-/pipelines`, '/no/such-project/-/pipelines']) {
      const { page } = await openPage(service(), path, { as: stranger, expectedFailures: /^404 / })
      texts.push(await page.getByRole('main').innerText())
    }
    expect(texts[0]).toContain('There is nothing here that you may see.')
    expect(texts[1]).toBe(texts[0])

    const admin = service().root
    const inside = `/${hidden.path}/-/jobs/4711`
    const { page } = await openPage(service(), inside, { as: admin, expectedFailures: /^404 / })
    await page.getByRole('link', { name: `Go to ${hidden.path}` }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/${hidden.path}`)
  })
})
