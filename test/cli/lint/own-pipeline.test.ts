import { expect, test } from 'vitest'

import { lintCommand } from '../../../src/cli/commands/lint/index.js'
import { runInProcess } from '../../integration/support/run-in-process.js'

/** What `switchyard lint` finds in the CI file of this repository. */
async function lintOwnFile(source: string): Promise<unknown> {
  const args = ['--json', '--offline', '--ref', 'main', '--source', source]
  const { stdout, exitCode } = await runInProcess(lintCommand, args)
  expect(exitCode, stdout).toBe(0)
  return JSON.parse(stdout)
}

test.each([
  ['push', ['check', 'test']],
  ['merge_request_event', ['check', 'test']],
  ['schedule', ['nightly']],
])('our own CI file has no error and no warning, and a %s runs %j', async (source, jobs) => {
  expect(await lintOwnFile(source)).toMatchObject({
    valid: true,
    errors: [],
    warnings: [],
    jobs: jobs.map((name) => ({ name, when: 'on_success' })),
  })
})
