import { describe, expect, test } from 'vitest'

import type { JobVariable } from '../../../src/protocol/job-payload.js'
import {
  attemptsSetting,
  booleanSetting,
  collectVariables,
  durationSetting,
  expandText,
} from '../../../src/runner/variables/job-variables.js'
import { jobPayload } from '../../support/job-payload.js'

function collect(variables: JobVariable[], configured: JobVariable[] = []) {
  return collectVariables({
    payload: jobPayload({ variables, image: { name: 'alpine:3' } }),
    paths: { buildsDir: '/builds', projectDir: '/builds/g/p', temporaryDir: '/builds/g/p.tmp' },
    configured,
    runnerToken: 'glrt-t1_abcdefghijkl',
    concurrentId: 2,
    concurrentProjectId: 1,
    timeoutSeconds: 3600,
  })
}

test.each([
  ['a $A', 'a 1'],
  ['${A}x$B', '1x'],
  ['$$A', '$A'],
  ['$1 $? $* $', '   $'],
  ['${not a name}', '${not a name}'],
])('%j becomes %j', (text, expected) => {
  expect(expandText(text, new Map([['A', '1']]))).toBe(expected)
})

describe('job variables', () => {
  test('are expanded once, and the last of a name wins', () => {
    const variables = collect([
      { key: 'A', value: 'first' },
      { key: 'B', value: '$A and $C' },
      { key: 'C', value: '$A' },
      { key: 'A', value: 'second' },
      { key: 'RAW', value: '$A', raw: true },
    ])
    expect(variables.get('B')).toBe('second and $A')
    expect(variables.get('RAW')).toBe('$A')
  })

  test('of the kind file contain the path of their file', () => {
    const variables = collect([
      { key: 'KEY', value: 'very $SECRET', file: true },
      { key: 'ARG', value: '--key=$KEY' },
    ])
    expect(variables.files).toEqual([{ name: 'KEY', content: 'very $SECRET' }])
    expect(variables.get('ARG')).toBe('--key=/builds/g/p.tmp/KEY')
  })

  test('of the kind file never lead out of their directory', () => {
    expect(collect([{ key: '../../etc/passwd', value: 'x', file: true }]).files).toEqual([])
  })

  test('come after the defaults and before the fixed variables of the runner', () => {
    const variables = collect(
      [
        { key: 'CI_PROJECT_DIR', value: '/elsewhere' },
        { key: 'CI_RUNNER_VERSION', value: 'mine' },
        { key: 'CONFIGURED', value: 'job' },
      ],
      [{ key: 'CONFIGURED', value: 'runner' }],
    )
    expect(variables.get('CI_PROJECT_DIR')).toBe('/elsewhere')
    expect(variables.get('CI_RUNNER_VERSION')).not.toBe('mine')
    expect(variables.get('CONFIGURED')).toBe('job')
    expect(Object.fromEntries(variables.values)).toMatchObject({
      CI_JOB_IMAGE: 'alpine:3',
      CI_RUNNER_SHORT_TOKEN: 'abcdefghi',
      CI_BUILDS_DIR: '/builds',
      CI_CONCURRENT_ID: '2',
      CI_CONCURRENT_PROJECT_ID: '1',
      CI_SERVER: 'yes',
      CI_JOB_STATUS: 'running',
      CI_JOB_TIMEOUT: '3600',
      CI_DISPOSABLE_ENVIRONMENT: 'true',
      RUNNER_TEMP_PROJECT_DIR: '/builds/g/p.tmp',
    })
  })
})

describe('settings in job variables', () => {
  const warnings: string[] = []
  const warn = (text: string) => warnings.push(text)

  test.each([
    ['true', true],
    ['T', true],
    ['0', false],
    ['yes', false],
    ['', false],
  ])('the boolean %j', (text, expected) => {
    expect(booleanSetting(new Map([['X', text]]), 'X', false, warn)).toBe(expected)
  })

  test.each([
    ['3', 3],
    ['0', 1],
    ['99', 10],
    ['many', 1],
    ['', 1],
  ])('the attempts %j', (text, expected) => {
    expect(attemptsSetting(new Map([['X', text]]), 'X', warn)).toBe(expected)
  })

  test.each([
    ['1m30s', 90],
    ['2h', 3600],
    ['soon', undefined],
    ['-5m', undefined],
  ])('the duration %j of a job with a timeout of an hour', (text, expected) => {
    expect(durationSetting(new Map([['X', text]]), 'X', 3600, warn)).toBe(expected)
  })
})
