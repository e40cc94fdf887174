import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { runJobs } from './support/pipeline-scene.js'

const CI_FILE = `
stages: [build, deploy]
make: { stage: build, script: make }
ship: { stage: deploy, script: make ship, when: manual, allow_failure: false, manual_confirmation: 'Ship it to all users?' }
`

describe('pages over many projects', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const runner = await service.addRunner()
    const ada = await service.addPerson('ada')
    const group = await service.json<{ id: number }>('POST', '/groups', { name: 'Acme', path: 'acme' }, ada)
    const place = { namespace_id: group.id }
    const files = { '.gitlab-ci.yml': CI_FILE }
    const broken = await service.addProject(files, ada, { name: 'Broken', path: 'broken', ...place })
    await runJobs(runner, { make: 'failed' })
    const waiting = await service.addProject(files, ada, { name: 'Waiting', path: 'waiting', ...place })
    await runJobs(runner)
    return { service, runner, ada, broken, waiting }
  })

  it('show what runs and what needs the user, as it changes', async () => {
    const { service, runner, ada, waiting } = scene()
    const { page } = await openPage(service, '/', { as: ada })
    const needs = page.getByRole('list', { name: 'Needs you' })
    await needs.getByRole('link', { name: /failed on main$/ }).waitFor()
    await page.getByRole('list', { name: 'Your pipelines' }).getByRole('link', { name: 'failed' }).waitFor()
    await page
      .getByRole('list', { name: 'Your projects' })
      .getByRole('link', { name: 'Last 1 pipeline: 1 failed on main' })
      .waitFor()
    expect(await looksRight(page)).toEqual([])

    await needs.getByRole('button', { name: 'Run ship' }).click()
    await page.getByText('Ship it to all users?').waitFor()
    await page.getByRole('button', { name: 'Run job' }).click()
    await needs.getByRole('button', { name: 'Run ship' }).waitFor({ state: 'detached' })
    const own = page.getByRole('button', { name: '1 running pipelines of yours' })
    await own.click()
    expect(await page.getByRole('link', { name: /^acme\/waiting · main/ }).count()).toBe(1)
    await page.keyboard.press('Escape')

    await runJobs(runner)
    await own.waitFor({ state: 'detached' })
    const line = page.getByRole('listitem').filter({ hasText: 'acme/waiting' })
    await line.getByRole('link', { name: 'passed' }).first().waitFor()
    expect(waiting.path).toBe('acme/waiting')
    await line.getByRole('link', { name: 'Log' }).click()
    await page.getByRole('heading', { level: 1, name: /ship/ }).waitFor()
  })

  testAtNight(
    'show the to-dos of the user, what a search finds, and the branch that was pushed',
    async () => {
      const { service, ada, broken } = scene()
      const P = `/projects/${broken.id}`
      await service.json('POST', `${P}/issues`, { title: 'Tiles are late' }, ada)
      await service.json('POST', `${P}/issues/1/todo`, {}, ada)
      const { page } = await openPage(service, '/', { as: ada })
      const needs = page.getByRole('list', { name: 'Needs you' })
      await needs.getByRole('button', { name: 'Mark as done: Tiles are late' }).waitFor()
      await page.getByRole('link', { name: 'To-dos: 1' }).click()
      const item = page.getByRole('list', { name: 'To-dos' }).getByRole('listitem')
      await item.getByText('You added a to-do · acme/broken#1').waitFor()
      expect(await looksRight(page)).toEqual([])
      await page.keyboard.press('j')
      await page.keyboard.press('d')
      await page.getByRole('link', { name: 'To-dos: 0' }).waitFor()
      await item.getByRole('button', { name: 'Undo: Tiles are late' }).click()
      await page.getByRole('link', { name: 'To-dos: 1' }).waitFor()

      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Page, project, issue' }).fill('tiles')
      await page.getByRole('option', { name: 'Tiles are late acme/broken#1' }).waitFor()
      await page.getByRole('option', { name: 'Search for “tiles” everywhere' }).click()
      await page.getByRole('link', { name: 'Issues 1' }).click()
      await page.getByRole('list', { name: 'Results' }).getByText('Tiles').waitFor()
      expect(await looksRight(page)).toEqual([])

      await service.push(broken, { 'tiles.md': 'Late' }, 'fix-tiles')
      await page.goto(`${service.url}/${broken.path}`)
      await page.getByText('You pushed to fix-tiles').waitFor()
      expect(await looksRight(page)).toEqual([])
      const offer = page.getByRole('link', { name: 'New merge request' })
      expect(await offer.getAttribute('href')).toContain('fix-tiles')
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await offer.waitFor({ state: 'detached' })
    },
  )

  testAtNight('show the pipelines of a group, and statuses of its projects', async () => {
    const { service, ada, broken, runner } = scene()
    const { page } = await openPage(service, '/groups/acme/-/pipelines', { as: ada })
    const list = page.getByRole('list', { name: 'Pipelines' })
    await list.getByRole('link', { name: 'failed' }).waitFor()
    expect(await looksRight(page)).toEqual([])

    await service.push(broken, { 'README.md': 'Mended' })
    await list.getByRole('link', { name: 'pending' }).waitFor()
    await runJobs(runner)
    await page.getByRole('link', { name: 'Finished' }).click()
    await page.getByPlaceholder('Branch, name, user or SHA').fill('no-such-branch')
    await page.getByText('No pipeline matches the filters.').waitFor()
  })
})
