import { expect, test } from 'vitest'

import { compileText, errorsOf, planOf } from './support/compile-text.js'
import { EVERY_KEYWORD } from './support/every-keyword.js'

test('every keyword of the language is accepted with each of its subkeys', async () => {
  expect(await errorsOf(EVERY_KEYWORD)).toEqual([])
  const result = await compileText(EVERY_KEYWORD)
  expect(result.kind).toBe('plan')
})

test('runner features of a job are kept, whether or not a runner supports them', async () => {
  const { jobs, warnings } = await planOf(EVERY_KEYWORD)
  const options = Object.fromEntries(jobs.map((job) => [job.name, job.options]))
  expect(options['test']).toMatchObject({
    identity: 'google_cloud',
    foreignNeeds: [
      { kind: 'pipeline', pipeline: '$PARENT', job: 'j: [x]', artifacts: true, optional: true },
      { kind: 'project', project: 'g/p', job: 'j: [x]', ref: 'main', artifacts: true },
    ],
  })
  expect(options['build: [x, z]']?.secrets).toMatchObject({
    AZURE: { azure_key_vault: { name: 'n', version: 'v' }, token: '$DEFAULT' },
    GCP: { gcp_secret_manager: { name: 'n', version: 3 } },
    AKEYLESS: { akeyless: { name: 'n', data_key: 'd' } },
  })
  expect(options['build: [x, z]']?.identity).toBeUndefined()
  expect(warnings.join('\n')).toContain('jobs:build:dast_configuration has no effect')
})
