import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import type { RunnerUse, WaitStatistics } from '../../src/coordinator/ci/runner-statistics/schema.js'
import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { runJobs } from './support/pipeline-scene.js'

const CI_FILE = `
compile: { script: make, tags: [linux] }
test: { script: make test, tags: [linux] }
train: { script: make train, tags: [linux, gpu] }
`

describe('the pages of runners', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const person = await service.addPerson('ada')
    const runner = await service.addRunner({ description: 'linux-7', tag_list: 'linux,big' })
    await service.addRunner({ description: 'windows-1', tag_list: 'windows' })
    const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE }, person)
    await runJobs(runner, { compile: 'failed' })
    const list = await service.json<{ id: number; description: string }[]>('GET', '/runners/all')
    const idOf = (name: string) => list.find(({ description }) => description === name)?.id ?? 0
    return { service, person, project, id: idOf('linux-7'), other: idOf('windows-1') }
  })

  testAtNight('show what waits and what helps, find runners, and follow their changes', async () => {
    const { service, project, id, other } = scene()
    const { page } = await openPage(service, '/admin/runners', { as: service.root })
    const waiting = page.getByRole('table', { name: 'Jobs that wait, by reason' })
    await waiting.getByText('Give a runner the tag "gpu".').waitFor()
    await waiting.getByRole('link', { name: 'train' }).waitFor()
    expect(await waiting.getByRole('link', { name: 'linux-7' }).getAttribute('href')).toBe(
      `/admin/runners/${id}`,
    )
    await page.getByRole('link', { name: '1 online' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await service.json('PUT', `/runners/${other}`, { paused: true })
    await page.getByRole('table', { name: 'Runners' }).getByText('paused').waitFor()
    await service.json('PUT', `/runners/${other}`, { paused: false })
    await page.getByLabel('Find runners').fill('WINDOWS')
    await page.getByRole('link', { name: 'linux-7' }).nth(1).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'windows-1' }).waitFor()

    await page.goto(`${service.url}/${project.path}/-/runners`)
    await page.getByRole('table', { name: 'Jobs that wait, by reason' }).waitFor()
    await page.getByRole('link', { name: 'windows-1' }).waitFor()
    await page.getByRole('link', { name: 'Waits' }).click()
    await page.getByText('Wait to start').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('draw how long jobs waited and how busy runners were', async () => {
    const { service, id } = scene()
    const { page, problems } = await openPage(service, '/', { as: service.root })
    await respond(page, /\/runners\/waits\?/, waits())
    await respond(page, /\/runners\/use\?/, use(id))
    await page.goto(`${service.url}/admin/runners?view=statistics&period=1d`)
    await page.locator('canvas').nth(1).waitFor()
    await page.getByText('Show as table').first().click()
    await page
      .getByRole('region', { name: 'How long jobs waited for a runner, by time, as a table' })
      .waitFor()
    await page.getByRole('list', { name: 'Busiest runners' }).getByText('71 %').waitFor()
    expect(await looksRight(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('show one runner, change, pause, rotate and delete it', async () => {
    const { service, id, other } = scene()
    const { page } = await openPage(service, '/admin/runners', {
      as: service.root,
      // The page of a deleted runner may read it once more before it is left.
      expectedFailures: new RegExp(String.raw`^404 .*/runners/${other}$`),
    })
    await page.getByRole('table', { name: 'Runners' }).getByRole('link', { name: 'linux-7' }).click()
    await page.getByRole('link', { name: 'compile' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    const tabs = page.getByRole('navigation', { name: 'Runner', exact: true })
    await tabs.getByRole('link', { name: 'Machines' }).click()
    await page.getByText('s_0123456789ab').waitFor()
    await tabs.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('textbox', { name: 'Tags' }).fill('linux, gpu')
    await page.getByLabel('Maintenance note').fill('Moves on Friday')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('definition').getByText('gpu').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(await service.json('GET', `/runners/${id}`)).toMatchObject({
      status: 'paused',
      tag_list: ['linux', 'gpu'],
      maintenance_note: 'Moves on Friday',
    })
    await page.goto(`${service.url}/admin/runners/${other}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Rotate the token' }).click()
    await page.getByRole('button', { name: 'Rotate token' }).click()
    expect(await page.getByRole('region', { name: 'token' }).innerText()).toMatch(/^\S{20,}$/)
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Delete runner' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete runner' }).click()
    await page.getByText('windows-1 was deleted').waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/runners')
  })

  it.runIf(IS_NIGHTLY)(
    'delete stale runners together, and leave those of a group above to its owners',
    async () => {
      const { service, person } = scene()
      const parent = await service.json<{ id: number }>('POST', '/groups', { name: 'fleet', path: 'fleet' })
      const below = { name: 'below', path: 'below', parent_id: parent.id }
      const group = await service.json<{ id: number }>('POST', '/groups', below)
      const owner = { user_id: person.id, access_level: 50 }
      await service.json('POST', `/groups/${group.id}/members`, owner)
      const add = async (group_id: number, description: string) => {
        const values = { runner_type: 'group_type', group_id, description }
        await service.json('POST', '/user/runners', values)
      }
      await add(parent.id, 'above-1')
      await add(group.id, 'own-1')
      await add(group.id, 'own-2')
      await service.writeStore((database) =>
        database
          .updateTable('runner')
          .set({ contacted_at: 1, created_at: 1 })
          .where('runner_type', '=', 'group_type')
          .execute(),
      )
      const { page } = await openPage(service, '/groups/fleet/below/-/runners', { as: person })
      const list = page.getByRole('table', { name: 'Runners' })
      await list.getByRole('button', { name: 'Pause own-1' }).waitFor()
      await list.getByRole('link', { name: 'above-1' }).waitFor()
      expect(await list.getByRole('button', { name: 'Pause above-1' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Delete stale…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('own-1').waitFor()
      expect(await dialog.getByText('above-1').count()).toBe(0)
      expect(await looksRight(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Delete 2 runners' }).click()
      await page.getByText('2 runners were deleted').waitFor()
      await list.getByRole('link', { name: 'own-1' }).waitFor({ state: 'detached' })
      await list.getByRole('link', { name: 'above-1' }).waitFor()
    },
  )

  it.runIf(IS_NIGHTLY)(
    'enable a runner in another project, and leave those of the instance to administrators',
    async () => {
      const { service, person, project, id: ofInstance } = scene()
      const second = await service.addProject({ 'a.txt': 'a' }, person)
      const { id } = await service.json<{ id: number }>(
        'POST',
        '/user/runners',
        { runner_type: 'project_type', project_id: project.id, description: 'own' },
        person,
      )
      const { page } = await openPage(service, `/${project.path}/-/runners/${id}`, {
        as: person,
        expectedFailures: /^404 .*nothing/,
      })
      await page
        .getByRole('navigation', { name: 'Runner', exact: true })
        .getByRole('link', { name: 'Projects' })
        .click()
      await page.getByLabel('Path of another project').fill('nothing/here')
      await page.getByRole('button', { name: 'Enable' }).click()
      await page.getByText('Project Not Found').waitFor()
      await page.getByLabel('Path of another project').fill(second.path)
      await page.getByRole('button', { name: 'Enable' }).click()
      await page.getByRole('link', { name: second.path }).waitFor()
      expect(await looksRight(page)).toEqual([])
      await page.getByRole('button', { name: `Disable in ${second.path}` }).click()
      await page.getByRole('link', { name: second.path }).waitFor({ state: 'detached' })
      await page.goto(`${service.url}/${project.path}/-/runners/${ofInstance}`)
      await page.getByText('Administrators manage the runners of the instance.').waitFor()
      expect(await page.getByRole('button', { name: /Pause|Resume/ }).count()).toBe(0)
    },
  )
})

/** Serves a request of the API: a day of statistics takes a day to record. */
async function respond(page: Page, url: RegExp, body: object): Promise<void> {
  await page.route(url, (route) => route.fulfill({ json: body }))
}

const STEP = 900
const START = Date.parse('2026-03-01T00:00:00Z')

function timeAt(index: number): string {
  return new Date(START + index * STEP * 1000).toISOString()
}

function waits(): WaitStatistics {
  const percentiles = (factor: number) => ({
    count: Math.round(12 * factor),
    p50: 0.4 * factor,
    p90: 3 * factor,
    p95: 8 * factor,
    p99: 41 * factor,
  })
  const shapes = Array.from({ length: 96 }, (_, index) => 1.4 + Math.sin(index / 9) + (index % 7) / 10)
  return {
    from: timeAt(0),
    to: timeAt(96),
    step: STEP,
    by: 'tag_set',
    total: percentiles(100),
    groups: [['linux', 'big'], ['linux'], ['windows'], []].map((tags, index) => ({
      id: index + 1,
      name: tags.join(', '),
      tags,
      ...percentiles(5 - index),
    })),
    series: shapes.map((shape, index) => ({ at: timeAt(index), ...percentiles(shape) })),
  }
}

function use(id: number): RunnerUse {
  const hours = Array.from({ length: 24 }, (_, index) => index)
  return {
    from: timeAt(0),
    to: timeAt(96),
    step: 3600,
    total: hours.map((hour) => ({
      at: timeAt(hour * 4),
      online: 41,
      busy: 20 + 12 * Math.sin(hour / 4),
      jobs: 40,
    })),
    runners: [
      {
        id,
        description: 'linux-7',
        runner_type: 'instance_type',
        busy: 0.71,
        jobs: 1.4,
        series: hours.map((hour) => 0.5 + Math.sin(hour / 4) / 3),
      },
    ],
  }
}
