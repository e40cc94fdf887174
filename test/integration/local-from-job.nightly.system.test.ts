import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { localCommand } from '../../src/cli/commands/local/index.js'
import { dockerLeftovers } from '../support/docker-leftovers.js'
import { tempDir } from '../support/temp-dir.js'
import { runInProcess } from './support/run-in-process.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'

let system: System
let project: TestProject

beforeAll(async () => {
  system = await System.startInProcess()
  project = await system.createProject()
})

afterAll(() => system.stop())

const CI = `
build:
  stage: build
  script: [mkdir out, echo built >out/file]
  artifacts: {paths: [out]}
unit:
  stage: test
  cache: {key: deps, paths: [deps], when: always}
  variables: {GREETING: "hello $SECRET of $PLAIN"}
  script:
    - cat out/file tracked
    - cat deps/file || echo "no cache"
    - mkdir -p deps
    - echo "of $CI_SERVER_URL" >deps/file
    - echo "$GREETING"
    - test "$FIXED" = yes
`

test('a failed job of a server is run on this machine, with its commit, variables and artifacts', async () => {
  await system.startRunner()
  const add = (body: object) => system.api.request('POST', `/projects/${project.id}/variables`, body)
  await add({ key: 'SECRET', value: 'a-secret-value', masked: true })
  await add({ key: 'PLAIN', value: 'plain' })
  await project.commit({ tracked: 'from the commit\n' })
  const pipeline = await project.pushCi(CI)
  await project.finished(pipeline)
  const job = await project.job(pipeline, 'unit')
  const url = `${system.url}/${project.path}/-/jobs/${job.id}`
  const failure = await (
    await system.api.request('GET', `/projects/${project.id}/jobs/${job.id}/failure`)
  ).json()
  expect(failure).toMatchObject({ local: `switchyard local --from ${url}` })

  const path = `/projects/${project.id}/jobs/${job.id}/reproduction`
  const reproduction = await (await system.api.request('GET', path)).json()
  expect(reproduction).toMatchObject({ images: [{ digest: null }] })

  const cacheDir = await tempDir()
  const local = (folder: string, ...args: string[]) =>
    runInProcess(
      localCommand,
      ['--token', system.api.token, '--cache-dir', cacheDir, '--from', url, ...args],
      {
        folder,
      },
    )
  const alike = await local(project.directory)
  expect(alike.stderr).toContain(`switchyard: Job ${job.id} "unit" of ${project.path} at `)
  expect(alike.stderr).toMatch(/Left out, give them with --var or --secret: .*SECRET \(masked\)/)
  expect(alike.stderr).toContain('The job fails here: script failure, exit code 1')
  // The job itself has found no cache, and has saved one.
  expect(alike.stdout).toContain('built\nfrom the commit\n')
  expect(alike.stdout).toContain(`\nof ${system.url}\n`)
  expect(alike.stdout).toContain('\nhello  of plain\n')
  expect(alike.exitCode).toBe(1)

  // A folder without the commit, and with a value for the secret, which the log masks.
  const given = ['--secret', 'SECRET=a-secret-value', '--var', 'FIXED=yes']
  const elsewhere = await local(await tempDir(), ...given)
  expect(elsewhere.stderr).toContain('The commit comes from the server')
  expect(elsewhere.stdout).toContain('\nhello [MASKED] of plain\n')
  expect(elsewhere.exitCode).toBe(0)
  expect(elsewhere.stdout + elsewhere.stderr).not.toContain('a-secret-value')

  expect(await dockerLeftovers(['com.gitlab.gitlab-runner.runner.system_id=local'])).toEqual([])
  const refused = await local(join(project.directory), '--token', 'wrong')
  expect(refused.stderr).toContain('does not accept the token')
  expect(refused.exitCode).toBe(1)
})
