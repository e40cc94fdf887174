import { truncate } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { runJobs } from './support/pipeline-scene.js'

const CI_FILE = `
compile: { script: make }
rspec: { script: make test }
gpu: { script: make, tags: [gpu] }
ship:
  script: make ship \${{ job.inputs.target }}
  tags: [gpu]
  when: manual
  manual_confirmation: Ship it to all users?
  inputs: { target: { default: beta, options: [beta, stable] } }
child: { trigger: { include: child.yml } }
`

describe('the page of a job', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const runner = await service.addRunner()
    const project = await service.addProject({
      '.gitlab-ci.yml': CI_FILE,
      'child.yml': 'part: { script: make }',
    })
    await runJobs(runner, { rspec: 'failed' })
    const jobs = await service.json<{ id: number; name: string }[]>('GET', `/projects/${project.id}/jobs`)
    const idOf = (name: string) => jobs.find((job) => job.name === name)?.id ?? 0
    return { service, project, idOf }
  })
  const open = (name: string) => {
    const { service, project, idOf } = scene()
    return openPage(service, `/${project.path}/-/jobs/${idOf(name)}`, { as: service.root })
  }

  it.runIf(IS_NIGHTLY)(
    'says which job kept another one from starting, and who can read a debug log',
    async () => {
      const { service } = scene()
      const project = await service.addProject({
        '.gitlab-ci.yml': 'one: { script: make, stage: build }\ntwo: { script: make, stage: test }',
      })
      await runJobs(await service.addRunner(), { one: 'failed' })
      const [two, one] = await service.json<{ id: number }[]>('GET', `/projects/${project.id}/jobs`)
      const { page } = await openPage(service, `/${project.path}/-/jobs/${two?.id}`, { as: service.root })
      await page.getByText('It was skipped before a runner took it.').waitFor()
      await page.getByRole('listitem').filter({ hasText: 'one failed' }).waitFor()
      expect(await looksRight(page)).toEqual([])

      await service.writeStore((database) =>
        database
          .updateTable('job')
          .set({ debug_trace: true })
          .where('id', '=', one?.id ?? 0)
          .execute(),
      )
      const reporter = await service.addPerson('reporter')
      await service.json('POST', `/projects/${project.id}/members`, {
        user_id: reporter.id,
        access_level: 20,
      })
      const options = { as: reporter, expectedFailures: /^403 .*(?:trace|steps)/ }
      const { page: refused } = await openPage(service, `/${project.path}/-/jobs/${one?.id}`, options)
      await refused.getByText('Developers and above can read this log.').waitFor()
      expect(await refused.getByText('You may not see this.').count()).toBe(0)
    },
  )

  it.runIf(IS_NIGHTLY)('says which line of the script failed, and leads to it in the log', async () => {
    const { service } = scene()
    const project = await service.addProject({ '.gitlab-ci.yml': 'unit: { script: make }' })
    const runner = await service.addRunner()
    const line = (number: number, text: string, exitCode: number | null) => {
      const ran = exitCode === null ? null : 12
      const started_at = ran && 1_764_000_000_000 + number * 1000
      return {
        section: 'step_script',
        line: number,
        of: 3,
        text,
        started_at,
        duration: ran,
        exit_code: exitCode,
      }
    }
    await runJobs(runner, { unit: 'failed' }, [
      line(1, 'npm ci --cache .npm', 0),
      line(2, 'make unit', 1),
      line(3, 'a-command-with-a-very-long-name-that-does-not-fit '.repeat(4), null),
    ])
    const [job] = await service.json<{ id: number }[]>('GET', `/projects/${project.id}/jobs`)
    const { page } = await openPage(service, `/${project.path}/-/jobs/${job?.id}`, { as: service.root })
    await page.getByText('Failed at line 2 of 3:').waitFor()
    await page.getByText('All lines of the scripts').click()
    await page.getByRole('listitem').filter({ hasText: 'npm ci --cache .npm' }).waitFor()
    await page.getByText(`switchyard local --from ${page.url()}`).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'make unit' }).first().click()
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#L\d+$/)
  })

  it('shows the log with its sections and colors', async () => {
    const { page } = await open('compile')
    await page.getByText('$ make compile').waitFor()
    expect(await page.getByText('section_start').count()).toBe(0)
    expect(await looksRight(page)).toEqual([])
    await page.locator('[data-fold]').last().click()
    await expect.poll(() => page.getByText('$ make compile').count()).toBe(0)
  })

  it('links to a range of lines', async () => {
    const { page } = await open('compile')
    await page.locator('[data-line="3"]').click()
    await page.locator('[data-line="5"]').click({ modifiers: ['Shift'] })
    expect(new URL(page.url()).hash).toBe('#L3-L5')
  })

  it('opens the log of a failed job at its first error, and finds text', async () => {
    const { page } = await open('rspec')
    await page.getByText('expected: "b"').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('got:')
    await page.getByText('1 of 1').waitFor()
    expect(await page.locator('mark').innerText()).toBe('got:')
  })

  it('says why a job waits, and what would help', async () => {
    const { page } = await open('gpu')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    expect(await page.getByText('gpu', { exact: true }).count()).toBeGreaterThan(1)
    expect(await looksRight(page)).toEqual([])
  })

  it('runs a manual job after its question, with inputs and variables', async () => {
    const { page } = await open('ship')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Run with variables…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ship it to all users?').waitFor()
    await dialog.getByLabel('target').selectOption('stable')
    await dialog.getByLabel('Key of variable 1').fill('REGION')
    await dialog.getByLabel('Value of variable 1').fill('north')
    expect(await looksRight(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    const about = page.getByRole('complementary', { name: 'About this job' })
    await about.getByText('REGION').waitFor()
    expect(await about.getByText('stable').count()).toBe(1)
  })

  it('shows the pipeline of a trigger job', async () => {
    const { service, project } = scene()
    const [pipeline] = await service.json<{ id: number }[]>(
      'GET',
      `/projects/${project.id}/pipelines?source=push`,
    )
    const [bridge] = await service.json<{ id: number; downstream_pipeline: { id: number } }[]>(
      'GET',
      `/projects/${project.id}/pipelines/${pipeline?.id}/bridges`,
    )
    const path = `/${project.path}/-/jobs/${bridge?.id}`
    const { page } = await openPage(service, path, { as: service.root })
    const main = page.getByRole('main')
    await main.getByRole('link', { name: `Pipeline #${bridge?.downstream_pipeline.id}` }).click()
    await page.getByText('part', { exact: true }).first().waitFor()
  })

  it('follows a log as it grows, byte for byte', async () => {
    const { service } = scene()
    const runner = await service.addRunner({ tag_list: 'live', run_untagged: false })
    const project = await service.addProject({ '.gitlab-ci.yml': 'live: { script: make, tags: [live] }' })
    const job = await runner.takeJob()
    const { page } = await openPage(service, `/${project.path}/-/jobs/${job.id}`, { as: service.root })
    let sent = 0
    const print = async (text: string) => {
      const bytes = Buffer.byteLength(text)
      await runner.patch(job, `${sent}-${sent + bytes - 1}`, text)
      sent += bytes
    }
    await print('first li')
    await page.getByText('first li', { exact: true }).waitFor()
    await print('ne\nsecond line\n')
    await page.getByText('second line').waitFor()
    expect(await page.getByText('first line', { exact: true }).count()).toBe(1)
    await print(`${Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n')}\nthe end.\n`)

    await page.getByText('the end.').waitFor()
    await runner.update(job, 'success', { output: { bytesize: sent } })
    await page.getByRole('heading', { level: 1, name: /passed/ }).waitFor()
  })

  testAtNight('wraps long lines, and a link still leads to its line', async () => {
    const { service } = scene()
    const runner = await service.addRunner({ tag_list: 'long', run_untagged: false })
    const project = await service.addProject({
      '.gitlab-ci.yml': 'long: { script: make, tags: [long] }',
      'src/a.ts': 'one\ntwo\n',
    })
    const job = await runner.takeJob()
    const lines = Array.from({ length: 3000 }, (_, index) =>
      index % 7 === 0 ? `start ${index} ${'word '.repeat(400)}end ${index}` : `line ${index}`,
    )
    lines[1999] = 'src/a.ts:2:1 is wrong'
    const text = `${lines.join('\n')}\n`
    await runner.patch(job, `0-${Buffer.byteLength(text) - 1}`, text)
    await runner.update(job, 'success', { output: { bytesize: Buffer.byteLength(text) } })
    const path = `/${project.path}/-/jobs/${job.id}`
    const { page } = await openPage(service, path, { as: service.root, width: 700 })
    await page.getByText('line 1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Wrap long lines (w)' }).click()
    const log = page.getByRole('log')
    const isWithin = async (name: string) => {
      const number = page.locator(`[data-line="${name}"]`)
      if ((await number.count()) === 0) return false
      const box = await log.boundingBox()
      const line = await number.boundingBox()
      return box !== null && line !== null && line.y >= box.y - 1 && line.y < box.y + box.height
    }
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("[role=log]")].some((log) => log.scrollWidth > log.clientWidth)',
      ),
    ).toBe(false)
    await page.goto(`${service.url}${path}#L2000`)
    await expect.poll(() => isWithin('2000')).toBe(true)
    // The lines above it are measured only now, and do not push it away.
    await log.hover()
    for (let times = 0; times < 12; times += 1) await page.mouse.wheel(0, -400)
    await expect.poll(() => isWithin('2000')).toBe(false)
    await page.getByRole('button', { name: 'Follow the end (f)' }).click()
    await expect.poll(() => isWithin('3000')).toBe(true)
    await page.goto(`${service.url}${path}#L1999-L2001`)
    await page.getByRole('link', { name: 'src/a.ts:2:1' }).click()
    await page.getByRole('region', { name: 'Content of a.ts' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#L2')
  })

  it.runIf(IS_NIGHTLY)('compares two attempts by section', async () => {
    const { service } = scene()
    const runner = await service.addRunner({ tag_list: 'twice', run_untagged: false })
    const project = await service.addProject({ '.gitlab-ci.yml': 'unit: { script: make, tags: [twice] }' })
    await runJobs(runner, { unit: 'failed' })
    const [first] = await service.json<{ id: number }[]>('GET', `/projects/${project.id}/jobs`)
    const again = await service.json<{ id: number }>(
      'POST',
      `/projects/${project.id}/jobs/${first?.id}/retry`,
    )
    await runJobs(runner)
    const { page } = await openPage(service, `/${project.path}/-/jobs/${again.id}`, { as: service.root })
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('link', { name: /Attempt 1, from line/ }).waitFor()
    await page.getByText('12 examples, 0 failures').waitFor()
    await page.getByText('Failures:').waitFor()
    await expect.poll(() => page.getByText('The same, apart from numbers.').count()).toBe(2)
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('copies and downloads parts, and remembers how logs are shown', async () => {
    const { page } = await open('rspec')
    await page.getByText('expected: "b"').waitFor()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('got:')
    await page.getByText('1 of 1').waitFor()
    const menu = page.getByRole('button', { name: 'Log options' })
    const [found] = await Promise.all([
      page.waitForEvent('download'),
      menu.click().then(() => page.getByRole('button', { name: 'Download what was found' }).click()),
    ])
    expect(await textOf(await found.createReadStream())).toMatch(/^\d+: +got: "a"\n$/)
    const [section] = await Promise.all([
      page.waitForEvent('download'),
      menu.click().then(() => page.getByRole('button', { name: 'Download the section in sight' }).click()),
    ])
    expect(section.suggestedFilename()).toMatch(/step_script\.log$/)
    expect(await textOf(await section.createReadStream())).toContain('$ make rspec')
    await menu.click()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Time since the line before' }).click()
    await menu.click()
    await page.getByRole('button', { name: 'Larger text' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Time since the line before (t)' }).waitFor()
  })

  it('says how much is there of a log that is damaged', async () => {
    const { service, project, idOf } = scene()
    await truncate(service.logFile(project.id, idOf('compile')), 20)
    const { page } = await open('compile')
    await page.getByText(/The log of this job is damaged: 20 of \d+ bytes are there/).waitFor()
    await page.getByRole('log').waitFor()
    expect(await looksRight(page)).toEqual([])
  })
})

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  return text
}
