import { gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const CI_FILE = `
rspec: { script: make test, artifacts: { reports: { junit: rspec.xml } } }
lint: { script: make lint }
`

const FEATURES = { info: { features: { upload_multiple_artifacts: true, upload_raw_artifacts: true } } }

/** What the tests of the suite do in one run; `slow one` takes twelve seconds. */
type Results = Record<string, 'passed' | 'failed'>

function junitOf(results: Results): string {
  const cases = Object.entries(results).map(([name, result]) => {
    const time = name.startsWith('slow') ? 12 : 0.25
    const output = result === 'failed' ? '<failure message="no">expected: 2\n     got: 3</failure>' : ''
    return `<testcase name="${name}" classname="spec.parser" file="spec/parser_spec.rb" time="${time}">${output}</testcase>`
  })
  return `<testsuite name="rspec" tests="${cases.length}">${cases.join('')}</testsuite>`
}

const MANY = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`passes ${index}`, 'passed' as const]),
)

describe('tests', () => {
  const scene = openForFile(async () => {
    const service = await Service.start()
    const runner = await service.addRunner()
    const project = await service.addProject({ '.gitlab-ci.yml': CI_FILE, 'spec/parser_spec.rb': 'it\n' })
    const run = async (results: Results) => {
      for (let left = 2; left > 0; left -= 1) {
        const job = await runner.takeJob(FEATURES)
        const isSuite = job.job_info.name === 'rspec'
        if (isSuite) {
          const response = await runner.upload(job, gzipSync(junitOf(results)), {
            filename: 'junit.xml.gz',
            query: 'artifact_type=junit&artifact_format=gzip',
          })
          if (!response.ok) throw new Error(await response.text())
        }
        const failed = isSuite && Object.values(results).includes('failed')
        await runner.update(
          job,
          failed ? 'failed' : 'success',
          failed ? { failure_reason: 'script_failure' } : {},
        )
      }
    }
    await run({ 'reads the last line': 'passed', 'closes the file': 'failed', ...MANY })
    await service.push(project, { a: '1' })
    await run({ 'reads the last line': 'failed', 'closes the file': 'passed', ...MANY })
    await service.push(project, { a: '2' })
    await run({ 'reads the last line': 'failed', 'closes the file': 'passed', 'slow one': 'passed', ...MANY })
    const pipelines = await service.json<{ id: number }[]>('GET', `/projects/${project.id}/pipelines`)
    return { service, project, latest: pipelines[0]?.id ?? 0 }
  })
  const open = (tail: string) => {
    const { service, project } = scene()
    return openPage(service, `/${project.path}/-/${tail}`, { as: service.root })
  }

  it('of a pipeline are listed, those that failed first, with their output and history', async () => {
    const { page } = await open(`pipelines/${scene().latest}/failures`)
    await page.getByRole('link', { name: 'Tests 1 failed' }).click()
    const first = page.getByRole('button', { name: /reads the last line/ })
    await first.click()
    await page.getByText('got: 3').waitFor()
    await page.getByRole('link', { name: 'Failed 2 of the last 3 runs on main' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: /^Job #/ }).click()
    await page.getByText('1 of 63 failed').waitFor()
    await page.getByRole('link', { name: 'Tests of this job' }).click()
    await page.getByRole('button', { name: /^Only job/ }).click()
    await page.getByLabel('Order').selectOption('Slowest first')
    await page.getByRole('button', { name: /slow one/ }).waitFor()
    await page.getByLabel('Time').selectOption('10 s and more')
    await expect.poll(() => page.getByRole('button', { name: /spec.parser/ }).count()).toBe(1)
    await page.getByRole('searchbox').fill('nothing')
    await page.getByText('No test matches.').waitFor()
  })

  it.runIf(IS_NIGHTLY)('of a branch are listed by their failures, and each has a history', async () => {
    const { page } = await open('tests')
    await page.getByRole('link', { name: 'Most failures' }).click()
    await expect
      .poll(() => page.getByRole('row').allInnerTexts())
      .toEqual([
        expect.anything(),
        expect.stringMatching(/reads the last line[^]*\t\s*2\s*\t/) as string,
        expect.stringMatching(/closes the file[^]*\t\s*1\s*\t/) as string,
      ])
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Flaky' }).click()
    await page.getByText('No test was flaky on this branch').waitFor()
    await page.getByRole('link', { name: 'Slowest' }).click()
    await page.getByRole('button', { name: /slow one/ }).waitFor()
    await page.getByRole('link', { name: 'Failed lately' }).click()
    await page.getByRole('link', { name: 'reads the last line' }).click()
    await page.getByText('Failed in 2 of the last 3 pipelines of main').waitFor()
    await page.getByText('Broken since').waitFor()
    await page.getByText('got: 3').waitFor()
    expect(await page.getByRole('list', { name: 'Runs, the oldest first' }).getByRole('link').count()).toBe(3)
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('say how a job would report some', async () => {
    const { service } = scene()
    const project = await service.addProject({ '.gitlab-ci.yml': 'lint: { script: make }' })
    const [pipeline] = await service.json<{ id: number }[]>('GET', `/projects/${project.id}/pipelines`)
    const path = `/${project.path}/-/pipelines/${pipeline?.id}/test_report`
    const { page } = await openPage(service, path, { as: service.root })
    await page.getByText('No job of this pipeline has reported tests.').waitFor()
    expect(await looksRight(page)).toEqual([])
  })
})
