import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight, variants } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { CI_FILE, runJobs, runPipeline } from './support/pipeline-scene.js'

const FORM_FILE = `spec:
  inputs:
    suite: { description: Tests to run, options: [fast, all], default: fast }
    retries: { default: '2', regex: '^[0-9]+$' }
---
variables: { LEVEL: { value: info, description: Level of the log, options: [info, debug] } }
test: { script: 'make $[[ inputs.suite ]]', tags: [nobody] }
by-hand: { script: make, tags: [nobody], rules: [{ if: $CI_PIPELINE_SOURCE == "web" && $LEVEL == "debug" }] }
`

const FAMILY_JOBS = 96
/** Jobs in eight stages, and one that starts a pipeline, which starts another one. */
const FAMILY_FILE = [
  'stages: [s0, s1, s2, s3, s4, s5, s6, s7]',
  'docs: { stage: s0, trigger: { include: docs.yml } }',
  ...Array.from(
    { length: FAMILY_JOBS },
    (_, index) => `job ${index}: { stage: s${index % 8}, script: make, tags: [nobody] }`,
  ),
].join('\n')

describe('the pages of pipelines', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const runner = await service.addRunner()
    const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE, 'README.md': '# App\n' })
    const endings = { 'rspec 3/4': 'failed', lint: 'failed', docs: 'running' } as const
    return { service, project, pipeline: await runPipeline(service, project, runner, endings) }
  })

  it('shows each job with its status, and what a job depends on', async () => {
    const { service, project, pipeline } = scene()
    const { page } = await openPage(service, `/${project.path}/-/pipelines/${pipeline}?view=graph`, {
      as: service.root,
    })
    const job = (name: RegExp) => page.getByRole('link', { name })
    await job(/^compile.*passed/).waitFor()
    expect(await job(/^lint.*passed with warnings/).count()).toBe(1)
    expect(await job(/^docs.*running/).count()).toBe(1)
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('button', { name: 'rspec' }).click()
    expect(await job(/^3\/4.*failed/).count()).toBe(1)

    await job(/^lint/).click()
    const log = page.getByRole('region', { name: 'Log of a job' })
    await log.getByText('$ make lint').waitFor()
    const separator = page.getByRole('separator', { name: 'Width of the log' })
    await separator.press('ArrowLeft')
    expect(await separator.getAttribute('aria-valuenow')).toBe('53')
    await job(/^docs/).click()
    await log.getByText('$ make docs').waitFor()
    // On a phone, the log covers the page.
    expect(await looksRight(page)).toEqual([])
    await page.goBack()
    await log.getByText('$ make lint').waitFor()
    await page.keyboard.press('Escape')
    await log.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('log')).toBe(false)

    await job(/^compile/).press('Space')
    await page.getByRole('button', { name: 'Show all jobs' }).click()
    await page.getByPlaceholder('Filter jobs').fill('comp')
    // The field waits for a pause of typing.
    await expect.poll(() => page.url()).toContain('job=comp')
  })

  testAtNight(
    'keep the size of the graph, and open the pipelines that jobs have started inside it',
    async () => {
      const { service } = scene()
      const { page } = await openPage(service, '/', { as: service.root })
      const project = await service.addProject({
        '.gitlab-ci.yml': FAMILY_FILE,
        'docs.yml': 'pages: { trigger: { include: pages.yml } }',
        'pages.yml': 'upload: { script: make, tags: [nobody] }',
      })
      const pipelines = `/projects/${project.id}/pipelines`
      const [pipeline] = await service.json<{ id: number }[]>('GET', pipelines)
      await page.goto(`${service.url}/${project.path}/-/pipelines/${pipeline?.id}?view=graph`)
      const graph = page.getByRole('region', { name: 'Graph of the jobs' })
      await graph.getByRole('button', { name: /^Jobs of pipeline/ }).click()
      await graph.getByRole('button', { name: /^Jobs of pipeline/, expanded: false }).click()
      await graph.getByRole('link', { name: /^upload/ }).click()
      await page.getByRole('region', { name: 'Log of a job' }).getByText('upload').waitFor()
      await page.keyboard.press('Escape')

      // Boxes that are far away are not drawn, but screen readers know them.
      const tree = await page.context().newCDPSession(page)
      const linksForReaders = async () => {
        const { nodes } = await tree.send('Accessibility.getFullAXTree')
        const links = nodes.filter(({ role, ignored }) => role?.value === 'link' && !ignored)
        return links.filter(({ name }) => /^job \d+/.test(String(name?.value))).length
      }
      await expect.poll(linksForReaders).toBe(FAMILY_JOBS)
      expect(await looksRight(page)).toEqual([])

      const box = `document.querySelector('[aria-label="Graph of the jobs"]')`
      const scrolls = () => page.evaluate<boolean>(`${box}.scrollWidth > ${box}.clientWidth`)
      expect(await scrolls()).toBe(true)
      await page.keyboard.press('0')
      await page.getByRole('button', { name: 'Fit the width (0)', pressed: true }).waitFor()
      await expect.poll(scrolls).toBe(false)
      await page.reload()
      await graph.getByRole('link', { name: /^docs/ }).waitFor()
      await expect.poll(scrolls).toBe(false)
      await page.getByRole('button', { name: 'Zoom in (+)' }).click()
      await page.keyboard.press('1')
      await page.getByRole('button', { name: '100 %' }).waitFor()
    },
  )

  it.runIf(IS_NIGHTLY)('join parallel jobs in one row of the waterfall, and zoom it to a range', async () => {
    const { service, project, pipeline } = scene()
    const { page } = await openPage(service, `/${project.path}/-/pipelines/${pipeline}/waterfall`, {
      as: service.root,
    })
    const chart = page.getByRole('region', { name: 'Waterfall' })
    await chart.getByRole('button', { name: /^rspec.*4 jobs, failed/ }).click()
    await chart.getByRole('link', { name: /^rspec 3\/4.*failed/ }).waitFor()
    expect(await looksRight(page)).toEqual([])

    const row = await chart.getByRole('link', { name: /^lint/ }).locator('..').boundingBox()
    if (!row) throw new Error('The row of lint is not drawn')
    const [right, y] = [row.x + row.width - 100, row.y + row.height / 2]
    await page.mouse.move(right, y)
    await page.mouse.down()
    await page.mouse.move(right - 50, y)
    await page.mouse.move(right - 200, y)
    await page.mouse.up()
    await page.getByRole('button', { name: /^[3-9]\d\d %$/ }).waitFor()
    await page.keyboard.press('0')
    await page.getByRole('button', { name: '100 %' }).waitFor()
  })

  it('list pipelines with their stages, and filter them', async () => {
    const { service, project, pipeline } = scene()
    // Links from other systems have single parameters.
    const { page } = await openPage(service, `/${project.path}/-/pipelines?ref=main`, { as: service.root })
    await page.getByRole('link', { name: `Pipeline ${pipeline}:` }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Filter pipelines' }).inputValue()).toBe('ref:main')
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('button', { name: 'Stage test: running' }).click()
    await page.getByRole('link', { name: /rspec 3\/4/ }).waitFor()
    await page.keyboard.press('Escape')

    const filter = page.getByRole('combobox', { name: 'Filter pipelines' })
    await filter.fill('status:succ')
    await page.getByRole('option', { name: 'status:success' }).click()
    await page.getByText('No pipeline matches.').waitFor()
    const saved = page.getByRole('button', { name: 'Saved filters' })
    await saved.click()
    await page.getByRole('button', { name: 'Save this filter' }).click()
    await page.getByRole('button', { name: 'Show all pipelines' }).click()
    await page.getByRole('link', { name: `Pipeline ${pipeline}:` }).waitFor()
    await saved.click()
    await page.getByRole('button', { name: 'status:success' }).click()
    await page.getByText('No pipeline matches.').waitFor()
    expect(await filter.inputValue()).toBe('status:success')
    await saved.click()
    await page.getByRole('button', { name: 'Delete this filter' }).click()
    await page.getByRole('button', { name: 'Show all pipelines' }).click()
    await page.getByRole('link', { name: `Pipeline ${pipeline}:` }).waitFor()

    await page.getByRole('checkbox', { name: `Select pipeline ${pipeline}` }).check()
    await page.getByRole('button', { name: 'Cancel 1' }).waitFor()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    await page.getByRole('dialog', { name: 'Delete 1 pipeline?' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear selection' }).click()
    expect(await page.getByRole('group', { name: 'Selected pipelines' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Clear runner caches' }).click()
    await page.getByRole('button', { name: 'Clear caches', exact: true }).click()
    await page.getByText('The caches were cleared').waitFor()
  })

  it('say what starts the first pipeline', async () => {
    const { service } = scene()
    const empty = await service.addProject({ 'README.md': '# Empty' })
    const { page } = await openPage(service, `/${empty.path}/-/pipelines`, { as: service.root })
    await page.getByText('No pipeline has run yet.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.each(
    variants(
      [['needs', 'compile']],
      [
        ['builds', 'rspec 3/4'],
        ['variables', 'This pipeline was started without variables.'],
        ['compare', 'main has no other pipeline.'],
      ],
    ),
  )('show %s of a pipeline', async (tab, text) => {
    const { service, project, pipeline } = scene()
    const { page } = await openPage(service, `/${project.path}/-/pipelines/${pipeline}/${tab}`, {
      as: service.root,
    })
    await page.getByText(text).first().waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  testAtNight('start a pipeline by hand, beside the jobs that would run', async () => {
    const { service } = scene()
    const project = await service.addProject({
      '.gitlab-ci.yml': FORM_FILE,
    })
    const { page } = await openPage(service, `/${project.path}/-/pipelines/new`, { as: service.root })
    await page.getByRole('listitem').filter({ hasText: 'test' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    expect(await page.getByText('by-hand').count()).toBe(0)
    await page.getByLabel('suite').selectOption('all')
    await page.getByLabel('retries').fill('many')
    await page.getByText('provided value does not match required RegEx pattern', { exact: true }).waitFor()
    await page.getByLabel('retries').fill('3')
    await page.getByLabel('LEVEL').selectOption('debug')
    await page.getByText('by-hand').waitFor()
    await page.getByRole('button', { name: 'Copy as command' }).click()
    await page.getByText('"inputs":{"suite":"all","retries":"3"}').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Key of variable 1').fill('COLOR')
    await page.getByLabel('Value of variable 1').fill('blue')
    await page.getByRole('button', { name: 'Run pipeline' }).click()
    await page.getByRole('heading', { level: 1, name: /pending/ }).waitFor()

    // The push has started one before; the new one is compared with it.
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    await page.getByRole('cell', { name: 'same' }).waitFor()
    await page.getByRole('link', { name: 'Variables' }).click()
    await page.getByText('COLOR').waitFor()
    expect(await service.json('GET', `/projects/${project.id}/pipelines?source=web`)).toHaveLength(1)
  })

  it.runIf(IS_NIGHTLY)('chart durations and results by week and branch', async () => {
    const { service } = scene()
    const runner = await service.addRunner({ tag_list: 'charts', run_untagged: false })
    const project = await service.addProject({
      '.gitlab-ci.yml': 'rspec: { script: make, tags: [charts] }\n',
    })
    const { page } = await openPage(service, `/${project.path}/-/pipelines/charts`, { as: service.root })
    await page.getByText('No pipeline has ended in the last 12 weeks.').waitFor()
    await runPipeline(service, project, runner, { rspec: 'failed' })
    const [job] = await service.json<{ id: number }[]>('GET', `/projects/${project.id}/jobs`)
    await service.json('POST', `/projects/${project.id}/jobs/${job?.id}/retry`)
    await runJobs(runner)
    await page.getByRole('link', { name: '4 weeks' }).click()
    await page.getByRole('cell', { name: 'main' }).waitFor()
    const flaky = page.getByRole('table', { name: 'Flaky jobs' })
    expect(await flaky.getByRole('row').last().innerText()).toMatch(/rspec\s+1 of 2\s+50 %/)
    const link = page.getByRole('link', { name: 'rspec' })
    expect(await link.count()).toBe(2)
    await page.getByText('Show as table').first().click()
    await page
      .getByRole('region', { name: 'Duration of pipelines that passed, by week, as a table' })
      .waitFor()
    expect(await looksRight(page)).toEqual([])
    await link.first().click()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    await link.first().waitFor()
    await page.getByLabel('Find jobs by name').fill('other')
    await page.getByText('No job has other in its name.').waitFor()
  })

  it('list the jobs of a project', async () => {
    const { service, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/jobs`, { as: service.root })
    await page.getByRole('link', { name: 'compile' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Running' }).click()
    await page.getByRole('link', { name: 'docs' }).waitFor()
  })

  it('lead from a failed pipeline to its first failing line in one click, and to its retry in another', async () => {
    const { service } = scene()
    const runner = await service.addRunner({ tag_list: 'story', run_untagged: false })
    const project = await service.addProject({
      '.gitlab-ci.yml': 'rspec: { script: make, tags: [story] }\n',
    })
    const pipeline = await runPipeline(service, project, runner, { rspec: 'failed' })
    // The address that mails, chat messages and webhooks name.
    const address = `/${project.path}/-/pipelines/${pipeline}`
    const { page } = await openPage(service, address, { as: service.root })
    await page.getByText('expected: "b"').waitFor()
    expect(await looksRight(page)).toEqual([])
    // The chosen tab opens the next failed pipeline.
    const tabs = page.getByRole('navigation', { name: 'Pipeline' })
    await tabs.getByRole('link', { name: 'Graph' }).click()
    await page.goto(service.url + address)
    await page.getByRole('region', { name: 'Graph of the jobs' }).waitFor()
    await tabs.getByRole('link', { name: 'Failures' }).click()
    await page.goto(service.url + address)
    await page.getByText('expected: "b"').waitFor()
    await page.getByRole('link', { name: 'Open the log' }).click()
    await page.getByRole('heading', { level: 1, name: /rspec/ }).waitFor()
    await page.getByText('exit code 1').last().waitFor()
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /pending/ }).waitFor()
  })

  it('retry the failed jobs of a pipeline, and follow them', async () => {
    const { service } = scene()
    const runner = await service.addRunner({ tag_list: 'retry', run_untagged: false })
    const project = await service.addProject({
      '.gitlab-ci.yml':
        'test: { script: make, tags: [retry] }\n' +
        "release: { stage: deploy, needs: [], script: make, tags: [retry], when: manual, manual_confirmation: 'Publish?' }\n",
    })
    const pipeline = await runPipeline(service, project, runner, { test: 'failed' })
    const { page } = await openPage(service, `/${project.path}/-/pipelines/${pipeline}?view=graph`, {
      as: service.root,
    })
    await page.getByRole('link', { name: /^test.*failed/ }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Rename pipeline' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Third try')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /Third try/ }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Run all manual jobs of stage deploy' }).click()
    await page.getByText('release: Publish?').waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('link', { name: /^release.*pending/ }).waitFor()
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByRole('link', { name: /^test.*pending/ }).waitFor()
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByText('The next job that starts is shown here.').waitFor()
    await runJobs(runner)
    await page.getByText('$ make').waitFor()
    // Nothing but the stream tells the page.
    await page.getByRole('link', { name: /^test.*passed/ }).waitFor()
    expect(await page.title()).toContain('✓')

    await page.getByRole('link', { name: 'Waterfall' }).click()
    const chart = page.getByRole('region', { name: 'Waterfall' })
    await chart.getByRole('link', { name: /^release.*to be started by hand/ }).waitFor()
    const width = async () => (await chart.locator('[data-axis]').boundingBox())?.width ?? 0
    const before = await width()
    await page.keyboard.press('+')
    await page.getByRole('button', { name: '150 %' }).waitFor()
    expect(await width()).toBeCloseTo(1.5 * (before + 28) - 28, -1)
  })
})
