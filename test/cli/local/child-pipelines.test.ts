import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { chooseJobs } from '../../../src/cli/commands/local/choose-jobs.js'
import { compilePlan } from '../../../src/cli/commands/local/compile-plan.js'
import { LocalDisplay } from '../../../src/cli/commands/local/local-display.js'
import { runChosen } from '../../../src/cli/commands/local/run-chosen.js'
import { isFine, showSummary } from '../../../src/cli/commands/local/summary.js'
import { openOutside } from '../../../src/cli/working-directory/outside/open-outside.js'
import { takeSnapshot } from '../../../src/cli/working-directory/snapshot.js'
import { openWorkingDirectory } from '../../../src/cli/working-directory/working-directory.js'
import type { JobPayload } from '../../../src/protocol/job-payload.js'
import type { JobClient } from '../../../src/runner/client/coordinator-client.js'
import { zipOf } from '../../coordinator/support/zip.js'
import { tempDir } from '../../support/temp-dir.js'

type Script = (payload: JobPayload, client: JobClient) => Promise<number>

/** Runs the pipeline of a folder; `scripts` stand for those of the jobs, which succeed otherwise. */
async function run(files: Record<string, string>, scripts: Record<string, Script> = {}) {
  const folder = await tempDir()
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const runFolder = await tempDir()
  const opened = await openWorkingDirectory(folder)
  const snapshot = await takeSnapshot(opened, runFolder)
  const directory = { ...opened, commit: snapshot.commit }
  const variables = new Map([['GIVEN', 'by hand']])
  const outside = openOutside(directory, { offline: true }).files
  const compiled = await compilePlan(directory, outside, { source: 'push', variables })
  if (!compiled.plan) throw new Error('no pipeline')
  const out = new PassThrough()
  const shown = text(out)
  const payloads: Record<string, JobPayload> = {}
  const display = new LocalDisplay({ out, colour: false, verbose: false, names: [] })
  const ran = await runChosen({
    facts: {
      pipelineId: 1,
      event: compiled.facts,
      snapshot,
      name: undefined,
      startedAt: Date.now(),
      variables,
      settings: [],
      outside,
    },
    plan: compiled.plan,
    chosen: chooseJobs(compiled.plan.jobs, [], { withNeeds: false }),
    directory,
    display,
    folder: runFolder,
    keepArtifacts: undefined,
    concurrency: 1,
    stops: {
      cancel: new AbortController().signal,
      shutdown: new AbortController().signal,
      request: () => undefined,
      release: () => undefined,
    },
    runner: {
      perform: async (payload, client) => {
        const { name } = payload.job_info
        payloads[name] = payload
        const exitCode = (await scripts[name]?.(payload, client)) ?? 0
        await client.updateJob(
          payload,
          exitCode === 0
            ? { state: 'success' }
            : { state: 'failed', failure_reason: 'script_failure', exit_code: exitCode },
        )
      },
    },
  })
  for (const { pipeline, ...about } of ran) showSummary(about.display, pipeline, about)
  out.end()
  return {
    lines: (await shown).split('\n'),
    statuses: ran.map(({ title, pipeline }) => [
      title,
      pipeline.status,
      Object.fromEntries(pipeline.jobs.map(({ planned, status }) => [planned.name, status])),
    ]),
    isFine: ran.every(({ pipeline }) => isFine(pipeline)),
    payloads,
  }
}

function variable({ variables }: JobPayload, name: string): string | undefined {
  return variables.findLast(({ key }) => key === name)?.value
}

const leaves =
  (files: Record<string, string>): Script =>
  async (payload, client) => {
    const file = { name: 'artifacts.zip', content: await zipOf(files) }
    await client.uploadArtifact(payload, {}, file, new AbortController().signal)
    return 0
  }

const fails: Script = () => Promise.resolve(1)

test('a child pipeline runs as its own block, with the variables of its trigger and files of its parent', async () => {
  const { lines, statuses, payloads } = await run(
    {
      '.gitlab-ci.yml': `
stages: [build, start]
build: { stage: build, script: x, artifacts: { paths: [out] } }
child:
  stage: start
  variables: { PARENT_PIPELINE_ID: $CI_PIPELINE_ID, WHO: me and $CI_COMMIT_REF_NAME }
  trigger: { include: child.yml, strategy: depend, forward: { pipeline_variables: true } }
`,
      'child.yml': `
use: { script: x, needs: [{ pipeline: $PARENT_PIPELINE_ID, job: build }] }
maybe: { script: x, needs: [{ pipeline: $PARENT_PIPELINE_ID, job: nobody, optional: true }] }
`,
    },
    { build: leaves({ out: 'made' }) },
  )
  expect(statuses).toEqual([
    ['Pipeline', 'success', { build: 'success', child: 'success' }],
    ['Child pipeline of child', 'success', { use: 'success', maybe: 'success' }],
  ])
  const { use, build } = payloads
  expect(use?.dependencies).toMatchObject([{ id: build?.id, name: 'build', artifacts_file: {} }])
  expect(use && [variable(use, 'WHO'), variable(use, 'GIVEN'), variable(use, 'CI_PIPELINE_SOURCE')]).toEqual([
    'me and main',
    'by hand',
    'parent_pipeline',
  ])
  expect(use && variable(use, 'CI_PIPELINE_ID')).toBe('2')
  expect(new Set(Object.values(payloads).map(({ id }) => id)).size).toBe(3)
  expect(lines).toEqual(
    expect.arrayContaining([
      'Child pipeline of child: 2 jobs',
      expect.stringMatching(/^child \/ use +\| started$/),
    ]),
  )
  expect(lines.filter((line) => /^(Child p|P)ipeline.*: success, /.test(line))).toHaveLength(2)
})

test('a child pipeline is read from the artifact of a job', async () => {
  const { statuses } = await run(
    {
      '.gitlab-ci.yml': `
stages: [make, start]
make: { stage: make, script: x, artifacts: { paths: [made.yml] } }
child: { stage: start, trigger: { include: [{ artifact: made.yml, job: make }], strategy: depend } }
`,
    },
    { make: leaves({ 'made.yml': 'generated: { script: x }' }) },
  )
  expect(statuses[1]).toEqual(['Child pipeline of child', 'success', { generated: 'success' }])
})

test.each([
  ['strategy: depend', 'failed', 'failed'],
  ['strategy: mirror', 'failed', 'failed'],
  ['forward: {}', 'success', 'success'],
])('a failing child pipeline, with %s, leaves its trigger job %s', async (option, job, pipeline) => {
  const { statuses, isFine } = await run(
    {
      '.gitlab-ci.yml': `child: { trigger: { include: child.yml, ${option} } }`,
      'child.yml': 'bad: { script: x }',
    },
    { bad: fails },
  )
  expect(statuses).toEqual([
    ['Pipeline', pipeline, { child: job }],
    ['Child pipeline of child', 'failed', { bad: 'failed' }],
  ])
  expect(isFine).toBe(false)
})

test('a trigger job fails with the reason if its files create no pipeline', async () => {
  const { lines, statuses } = await run({ '.gitlab-ci.yml': 'child: { trigger: { include: no.yml } }' })
  expect(statuses).toEqual([['Pipeline', 'failed', { child: 'failed' }]])
  expect(lines.join('\n')).toContain('Local file `no.yml` does not exist!')
  expect(lines.join('\n')).toContain('downstream pipeline creation failed')
})

test('child pipelines may have child pipelines, two levels deep', async () => {
  const trigger = 'deeper: { trigger: { include: child.yml, strategy: depend } }'
  const { statuses } = await run({ '.gitlab-ci.yml': trigger, 'child.yml': trigger })
  expect(statuses.map(([title]) => title)).toEqual([
    'Pipeline',
    'Child pipeline of deeper',
    'Child pipeline of deeper / deeper',
  ])
  expect(statuses.every(([, status]) => status === 'failed')).toBe(true)
})

test('a job has the slug of its environment, and the coverage in its log is shown', async () => {
  const { payloads, lines } = await run(
    {
      '.gitlab-ci.yml':
        "deploy: { script: x, coverage: '/total: (\\d+\\.\\d+)%/', environment: Review/My App }",
    },
    {
      deploy: async (payload, client) => {
        await client.appendTrace(payload, 0, Buffer.from('total: 12.0%\ntotal: 87.5%\nlast line\n'), false)
        return 0
      },
    },
  )
  expect(payloads['deploy'] && variable(payloads['deploy'], 'CI_ENVIRONMENT_SLUG')).toMatch(
    /^review-my-app-[a-z0-9]{6}$/,
  )
  expect(lines.find((line) => line.startsWith('deploy | success'))).toContain('coverage 87.5%')
  expect(lines.at(-2)).toContain('coverage 87.5%')
})
