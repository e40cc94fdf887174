import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { CI_FILE, runJobs } from './support/pipeline-scene.js'

const FILES = {
  '.gitlab-ci.yml': CI_FILE,
  'README.md': '# App\n\nReads the last line.\n\n| option | meaning |\n| --- | --- |\n| `--all` | all |\n',
  'src/reader.ts': 'export {}\n',
}

/** A group with a subgroup and a project, whose first pipeline failed and whose second one runs. */
async function openScene() {
  const service = await Service.start()
  const { root } = service
  const group = await service.json<{ id: number }>('POST', '/groups', {
    name: 'Acme',
    path: 'acme',
    visibility: 'public',
  })
  await service.json('POST', '/groups', {
    name: 'Tools',
    path: 'tools',
    parent_id: group.id,
    visibility: 'public',
  })
  const place = { namespace_id: group.id, visibility: 'public' }
  const project = await service.addProject(FILES, root, {
    name: 'App',
    path: 'app',
    topics: ['cli'],
    ...place,
  })
  const runner = await service.addRunner()
  await runJobs(runner, { compile: 'failed' })
  await service.push(project, { 'src/reader.ts': 'export const a = 1\n' })
  await runJobs(runner, { docs: 'running' })
  await service.json('POST', '/projects', { name: 'Empty', path: 'empty', ...place })
  return { service, project, runner, reader: await service.addPerson('rita') }
}

describe('an overview', () => {
  const scene = openForFile(openScene)

  it('of a project shows the last pipeline, the files with their commits, and the README', async () => {
    const { service, project } = scene()
    const { page } = await openPage(service, `/${project.path}`, { as: service.root })
    const strip = page.getByRole('region', { name: 'Pipelines of the default branch' })
    await strip.getByRole('link', { name: 'running', exact: true }).waitFor()
    expect(await strip.getByRole('link', { name: /^Pipeline #/ }).count()).toBe(2)
    expect(await strip.getByRole('img', { name: 'build: passed' }).count()).toBe(1)
    const files = page.getByRole('table', { name: 'Files' })
    await files.getByRole('link', { name: 'src/reader.ts', exact: true }).waitFor()
    await page.getByRole('group', { name: 'Table' }).waitFor()
    expect(await page.getByRole('link', { name: 'Run pipeline' }).count()).toBe(1)
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('button', { name: 'Clone' }).click()
    const address = page.getByLabel('Clone with HTTP', { exact: true })
    expect(await address.inputValue()).toBe(`${service.url}/acme/app.git`)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: /^Star 0/ }).click()
    await page.getByRole('button', { name: /^Starred 1/ }).waitFor()
    await expect
      .poll(
        async () => (await service.json<{ star_count: number }>('GET', `/projects/${project.id}`)).star_count,
      )
      .toBe(1)
  })

  it('of a project follows the pipelines of the default branch', async () => {
    const { service, project, runner } = scene()
    const { page } = await openPage(service, `/${project.path}`, { as: service.root })
    const strip = page.getByRole('region', { name: 'Pipelines of the default branch' })
    await strip.getByRole('link', { name: /^Pipeline #2/ }).waitFor()
    await service.push(project, { 'src/reader.ts': 'export const a = 2\n' })
    await runJobs(runner, { compile: 'failed' })
    await strip.getByRole('link', { name: 'failed', exact: true }).waitFor()
  })

  it('of an empty project says how to push to an empty repository', async () => {
    const { service } = scene()
    const { page } = await openPage(service, '/acme/empty', { as: service.root })
    await page.getByText(`git remote add origin ${service.url}/acme/empty.git`).first().waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('shows visitors what they may see, and leads to the group without loading a document', async () => {
    const { service, project, reader } = scene()
    const { page } = await openPage(service, `/${project.path}`, {
      as: reader,
    })
    await page.getByRole('table', { name: 'Files' }).waitFor()
    expect(await page.getByRole('link', { name: 'Run pipeline' }).count()).toBe(0)
    await page.evaluate('window.isSameDocument = true')

    await page.getByRole('navigation', { name: 'Location' }).getByRole('link', { name: 'acme' }).click()
    await page.getByRole('heading', { level: 1, name: /^Acme/ }).first().waitFor()
    await page.getByRole('navigation', { name: 'Group', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Tools: projects and subgroups' }).click()
    await page.getByText('This subgroup is empty.').waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page
      .getByRole('heading', { level: 1, name: /^Tools/ })
      .first()
      .waitFor()
    expect(await page.evaluate('window.isSameDocument')).toBe(true)
  })

  it('of a project shows guests what is open to them', async () => {
    const { service } = scene()
    const guest = await service.addPerson('gus')
    const secret = await service.addProject({ 'README.md': 'x' }, service.root, { name: 'Secret' })
    await service.json('POST', `/projects/${secret.id}/members`, { user_id: guest.id, access_level: 10 })
    const { page } = await openPage(service, `/${secret.path}`, { as: guest })
    await page.getByText('You may not read the code of this project.').waitFor()
    expect(await page.getByRole('button', { name: 'Clone' }).count()).toBe(0)
    expect(await looksRight(page)).toEqual([])
  })

  it('of a group shows the statuses of its subgroups, also to visitors', async () => {
    const { service, runner } = scene()
    const group = await service.json<{ id: number }>('GET', '/groups/acme%2Ftools')
    const place = { namespace_id: group.id, visibility: 'public' }
    const tool = await service.addProject({ '.gitlab-ci.yml': CI_FILE }, service.root, {
      name: 'Tool',
      ...place,
    })
    await runJobs(runner, { compile: 'failed', container: 'failed', docs: 'failed' })
    const { page } = await openPage(service, '/acme')
    const counts = page.getByRole('list', { name: /^Default branches by the status/ })
    await counts.getByRole('img', { name: 'failed' }).waitFor()
    expect(await counts.innerText()).toBe('1')
    expect(tool.path).toContain('acme/tools')
  })

  it.runIf(IS_NIGHTLY)('of a user shows activity, and lets others follow', async () => {
    const { service, reader } = scene()
    const { page } = await openPage(service, '/root', { as: reader })
    await page
      .getByText(/^pushed to branch/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.getByRole('link', { name: /Followers 1/ }).click()
    await page.getByRole('link', { name: 'rita' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Memberships' }).click()
    await page.getByRole('row', { name: /^acme group Owner/ }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })
})
