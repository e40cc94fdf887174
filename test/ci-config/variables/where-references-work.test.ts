import { describe, expect, test } from 'vitest'

import { errorsOf, jobOf } from '../support/compile-text.js'
import { NO_CONTEXT_VARIABLES } from '../support/no-context-variables.js'

const variables = {
  ...NO_CONTEXT_VARIABLES,
  predefined: [
    { key: 'ONE', value: 'one' },
    { key: 'NEST', value: '${ONE}-two' },
  ],
}

function job(keywords: string) {
  return jobOf(`job: {script: x, ${keywords}}`, 'job', { variables })
}

describe('references are replaced when the pipeline is created (CI language, 8.4)', () => {
  test.each<[string, object]>([
    ['tags: [$ONE, $NEST, $NONE]', { tags: ['one', '${ONE}-two', '$NONE'] }],
    ['resource_group: g-$NEST-$NONE', { resourceGroup: 'g-one-two-' }],
    ['environment: e/$NEST.$NONE', { environment: { name: 'e/one-two.' } }],
    ['environment: {name: e, deployment_tier: $NEST}', { environment: { tier: 'one-two' } }],
    ['environment: {name: e, auto_stop_in: "$ONE day"}', { environment: { autoStopIn: 'one day' } }],
  ])('%s', async (keywords, expected) => {
    expect(await job(keywords)).toMatchObject(expected)
  })
})

describe('references are left to who knows more: the runner, the shell, the end of the job', () => {
  test.each<[string, object]>([
    ['environment: {name: e, url: https://$ONE}', { environment: { url: 'https://$ONE' } }],
    [
      'image: {name: $ONE, entrypoint: [$ONE]}',
      { options: { image: { name: '$ONE', entrypoint: ['$ONE'] } } },
    ],
    [
      'services: [{name: $ONE, alias: $ONE, variables: {A: $ONE}}]',
      { options: { services: [{ name: '$ONE', alias: '$ONE', variables: [{ value: '$ONE' }] }] } },
    ],
    [
      'cache: {key: $ONE, paths: [$ONE], policy: $ONE, fallback_keys: [$ONE]}',
      { options: { caches: [{ key: '$ONE', paths: ['$ONE'], policy: '$ONE', fallbackKeys: ['$ONE'] }] } },
    ],
    [
      'cache: {key: {files: [$ONE], prefix: $ONE}}',
      { options: { caches: [{ key: { files: ['$ONE'], prefix: '$ONE' } }] } },
    ],
    [
      'artifacts: {name: $ONE, paths: [$ONE], exclude: [$ONE], reports: {junit: $ONE}}',
      {
        options: {
          artifacts: { name: '$ONE', paths: ['$ONE'], exclude: ['$ONE'], reports: { junit: ['$ONE'] } },
        },
      },
    ],
    [
      'release: {tag_name: $ONE, description: $ONE, ref: $ONE}',
      { options: { release: { tagName: '$ONE', description: '$ONE', ref: '$ONE' } } },
    ],
    ['variables: {A: $ONE}', { variables: [{ key: 'A', value: '$ONE' }] }],
    ['id_tokens: {T: {aud: $ONE}}', { options: { idTokens: { T: { aud: ['$ONE'] } } } }],
    [
      'before_script: [$ONE], after_script: [$ONE]',
      { options: { script: ['$ONE', 'x'], afterScript: ['$ONE'] } },
    ],
  ])('%s', async (keywords, expected) => {
    expect(await job(keywords)).toMatchObject(expected)
  })
})

describe('references are nothing but text', () => {
  test.each<[string, string]>([
    [
      'stage: $ONE',
      'job job: chosen stage $ONE does not exist; available stages are .pre, build, test, deploy, .post',
    ],
    ['needs: [$ONE]', 'job job: undefined need: $ONE'],
    ['dependencies: [$ONE]', 'job job: undefined dependency: $ONE'],
    ['extends: $ONE', 'job: unknown keys in `extends` ($ONE)'],
    ['timeout: $ONE', 'jobs:job:timeout config should be a duration'],
    ['when: delayed, start_in: $ONE', 'jobs:job start in should be a duration'],
    ['when: $ONE', 'jobs:job when should be one of: on_success, on_failure, always, manual, delayed'],
    ['retry: $ONE', 'retry config has to be either an integer or a hash'],
    ['parallel: $ONE', 'jobs:job:parallel should be an integer or a hash'],
    ['interruptible: $ONE', 'jobs:job:interruptible config should be a boolean value'],
    ['allow_failure: $ONE', 'jobs:job allow failure should be a hash or a boolean value'],
    ['coverage: $ONE', 'jobs:job:coverage config must be a regular expression with re2 syntax'],
    ['artifacts: {paths: [a], expire_in: $ONE}', 'jobs:job:artifacts expire in should be a duration'],
    ['environment: {name: e, on_stop: $ONE}', 'job job: on_stop job $ONE is not defined'],
    [
      'environment: {name: e, action: $ONE}',
      'jobs:job:environment action should be start, stop, prepare, verify, or access',
    ],
  ])('%s', async (keywords, message) => {
    expect(await errorsOf(`job: {script: x, ${keywords}}`, { variables })).toEqual([message])
  })
})
