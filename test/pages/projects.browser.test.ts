import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

describe('the pages around projects', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const ada = await service.addPerson('ada')
    const group = await service.json<{ id: number }>(
      'POST',
      '/groups',
      { name: 'Acme', path: 'acme', visibility: 'internal' },
      ada,
    )
    const app = await service.addProject({ 'README.md': '# App\n' }, ada, {
      name: 'App',
      path: 'app',
      namespace_id: group.id,
      visibility: 'internal',
    })
    return { service, ada, app, bea: await service.addPerson('bea') }
  })

  it('show a newcomer how to begin, and others their projects', async () => {
    const { service, ada, bea } = scene()
    const newcomer = await openPage(service, '/', { as: bea })
    await newcomer.page.getByText('You are in no project yet.').waitFor()
    expect(await looksRight(newcomer.page)).toEqual([])

    const { page } = await openPage(service, '/', { as: ada })
    const list = page.getByRole('list', { name: 'Your projects' })
    await list.getByRole('link', { name: 'Acme / App' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.keyboard.press('/')
    await page.keyboard.type('nothing like it')
    await page.getByText('No project matches the filters.').waitFor()
    await page.waitForURL(/name=nothing/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await list.getByRole('link', { name: 'Acme / App' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^App/ }).first().waitFor()
  })

  it.runIf(IS_NIGHTLY)('list what a visitor may see', async () => {
    const { service, bea } = scene()
    const visitor = await openPage(service, '/')
    await visitor.page.getByText('There are no public projects here.').waitFor()

    const { page } = await openPage(service, '/explore/projects', { as: bea })
    await page.getByRole('link', { name: 'Acme / App' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('list', { name: 'Groups' }).getByRole('link', { name: 'Acme' }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  testAtNight('say what could not be read, and try again', async () => {
    const { service, bea } = scene()
    const { page } = await openPage(service, '/', { as: bea, expectedFailures: /^500 / })
    await page.getByText('You are in no project yet.').waitFor()
    const failing = /\/api\/v4\/projects\?/
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: '500 Broken' } }))
    await page.getByRole('link', { name: 'Explore projects' }).click()
    await page.getByText('Broken').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.unroute(failing)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Acme / App' }).waitFor()
  })

  it('create a project in a group, and say at once that a path is taken', async () => {
    const { service, ada } = scene()
    const { page } = await openPage(service, '/projects/new', { as: ada })
    await page.getByLabel('Project name').fill('App')
    await page.getByRole('combobox', { name: 'Namespace' }).fill('acme')
    await page.getByRole('option', { name: /acme/ }).click()
    await page.getByText('This has already been taken.').waitFor()
    expect(await page.getByRole('button', { name: 'Create project' }).isDisabled()).toBe(true)
    expect(await looksRight(page)).toEqual([])

    await page.getByLabel('Project name').fill('New tool')
    expect(await page.getByLabel('Path').inputValue()).toBe('new-tool')
    expect(await page.getByRole('radio', { name: /^Public/ }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { level: 1, name: /^New tool Private/ }).waitFor()
    await page.getByRole('link', { name: 'README.md' }).first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/acme/new-tool')
  })

  testAtNight('import a repository, and show how that goes', async () => {
    const { service, ada } = scene()
    const { page } = await openPage(service, '/projects/new#import', { as: ada, expectedFailures: /^400 / })
    await page.getByLabel('Git repository URL').fill('http://127.0.0.1:1/group/copy.git')
    expect(await page.getByLabel('Project name').inputValue()).toBe('copy')
    await page.getByRole('button', { name: 'Import project' }).click()
    await page.getByText(/^This URL .*(blocked|allowed|local)/i).waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.goto(`${service.url}/acme/app/-/import`)
    await page.getByText('This project was not imported.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('import an archive that another project was exported to', async () => {
    const { service, ada, app } = scene()
    await service.fetch('POST', `/projects/${app.id}/export`, { as: ada })
    await expect
      .poll(async () => {
        const path = `/projects/${app.id}/export`
        return (await service.json<{ export_status: string }>('GET', path, undefined, ada)).export_status
      })
      .toBe('finished')
    const archive = await service.fetch('GET', `/projects/${app.id}/export/download`, { as: ada })
    const { page } = await openPage(service, '/projects/new#archive', { as: ada })
    await page.getByLabel('Archive of a project').setInputFiles({
      name: '2026-11-25_10-00-000_acme_app_export.tar.gz',
      mimeType: 'application/gzip',
      buffer: Buffer.from(await archive.arrayBuffer()),
    })
    await page.getByLabel('Project name').fill('App again')
    await page.getByRole('button', { name: 'Import project' }).click()
    await page.getByText('The import is complete.').waitFor()
    await page.getByRole('link', { name: 'Open the project' }).click()
    await page.getByRole('table', { name: 'Files' }).waitFor()
  })

  it.runIf(IS_NIGHTLY)('fork a project, and show its forks and its activity', async () => {
    const { service, bea } = scene()
    const { page } = await openPage(service, '/acme/app/-/forks', { as: bea })
    await page.getByText('There is no fork that you may see.').waitFor()
    await page.getByRole('button', { name: 'Fork' }).click()
    await page.getByRole('button', { name: 'Fork project' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Fork project' }).click()
    await page.getByRole('link', { name: 'acme/app', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/bea/app')

    await page.goto(`${service.url}/acme/app/activity`)
    await page.getByText('pushed new branch').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('create a subgroup', async () => {
    const { service, ada } = scene()
    const { page } = await openPage(service, '/acme', { as: ada })
    await page.getByRole('link', { name: 'New subgroup' }).click()
    await page.getByRole('heading', { level: 1, name: 'New subgroup' }).waitFor()
    await page.getByLabel('Group name').fill('Tools')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByText('There are no projects in this group yet.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/acme/tools')
  })
})
