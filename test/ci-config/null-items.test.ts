import { describe, expect, test } from 'vitest'

import { compileText, errorsOf, jobOf } from './support/compile-text.js'

const around = { projects: { 'group/project': { 'a.yml': 'a: {script: x}' } } }

describe('null items of a list are dropped (CI language, 6.4)', () => {
  test.each<[string, object]>([
    ['needs: [null, a]', { needs: [{ name: 'a' }] }],
    ['needs: [[null], [[null, a], null]]', { needs: [{ name: 'a' }] }],
    ['needs: [*none, a]', { needs: [{ name: 'a' }] }],
    ['needs: [!reference [.lists, none], a]', { needs: [{ name: 'a' }] }],
    ['needs: [null]', { needs: [], schedulingType: 'dag' }],
    ['needs: [{job: a, artifacts: null, optional: null, parallel: null}]', { needs: [{ artifacts: true }] }],
    ['rules: [{needs: [null, a]}]', { needs: [{ name: 'a' }] }],
    ['services: [null, postgres]', { services: [{ name: 'postgres' }] }],
    ['services: [[null, [postgres]], *none]', { services: [{ name: 'postgres' }] }],
    ['services: [null]', { services: [] }],
    ['cache: [null, {paths: [p]}]', { caches: [{ paths: ['p'] }] }],
    ['cache: [*none, [{paths: [p]}]]', { caches: [{ paths: ['p'] }] }],
    [
      'release: {tag_name: t, description: d, assets: {links: [null, {name: n, url: u}]}}',
      { release: { links: [{ name: 'n', url: 'u' }] } },
    ],
  ])('%s', async (keywords, expected) => {
    const text = `.none: &none [null]\n.lists: {none: [null]}\na: {stage: build, script: x}\nt: {script: x, ${keywords}}`
    const found = await jobOf(text, 't')
    const { needs, options, schedulingType } = found
    expect({ schedulingType, needs, ...options }).toMatchObject(expected)
  })

  test.each([
    'include: [null, a.yml]',
    'include: [null, {local: a.yml}]',
    'include: [{local: a.yml, rules: null, inputs: null}]',
  ])('%s', async (text) => {
    const origin = { file: '.gitlab-ci.yml', commit: { projectPath: 'group/project', sha: 'a'.repeat(40) } }
    expect(await compileText(text, { origin }, around)).toMatchObject({ plan: { jobs: [{ name: 'a' }] } })
  })

  test('trigger:include: [null, c.yml]', async () => {
    const job = await jobOf('t: {trigger: {include: [null, c.yml]}}', 't')
    expect(job.trigger).toMatchObject({ include: ['c.yml'] })
  })
})

describe('a list that is null is not set (CI language, 6.4)', () => {
  test.each([
    ...'after_script artifacts before_script cache coverage dependencies environment except extends hooks id_tokens image inherit inputs interruptible needs only pages parallel release resource_group retry rules secrets services stage tags timeout variables when'
      .split(' ')
      .map((keyword) => `${keyword}: null`),
    'rules: [{exists: {paths: null}}, {if: $A, changes: null, exists: null, variables: null, needs: null}]',
    'artifacts: {paths: null, exclude: null, reports: null, expose_as: null, when: null}',
    'artifacts: {paths: [a], reports: {junit: null, coverage_report: null}}',
    'cache: {key: null, paths: null, fallback_keys: null, policy: null, when: null}',
    'retry: {max: null, when: null, exit_codes: null}',
    'image: {name: i, entrypoint: null, pull_policy: null, docker: null}',
    'services: [{name: s, entrypoint: null, command: null, alias: null, variables: null}]',
    'only: {refs: null, variables: null, changes: null}, except: {refs: null, changes: null}',
    'allow_failure: {exit_codes: null}',
    'inherit: {default: null, variables: null}',
    'environment: {name: e, url: null, on_stop: null, auto_stop_in: null, kubernetes: null}',
    'hooks: {pre_get_sources_script: null}',
    'variables: {A: null, B: {value: null, expand: null}}',
    'inputs: {a: {default: b, options: null, regex: null}}',
  ])('%s', async (keywords) => {
    expect(await errorsOf(`t: {script: x, ${keywords}}`)).toEqual([])
  })

  test.each(['stages', 'include', 'variables', 'default', 'workflow', 'services', 'cache', 'before_script'])(
    'top-level %s: null',
    async (keyword) => {
      expect(await errorsOf(`${keyword}: null\nt: {script: x}`)).toEqual([])
    },
  )

  test('paths of exists that are null match no file', async () => {
    const result = await compileText('t: {script: x, rules: [{exists: {paths: null}}]}')
    expect(result.kind).toBe('empty')
  })
})

describe('lists that need their items refuse null (CI language, 6.4)', () => {
  const script = 'should be a string or a nested array of strings up to 10 levels deep'
  test.each([
    ['before_script: [null]', `jobs:t:before_script config ${script}`],
    ['after_script: [[null]]', `jobs:t:after_script config ${script}`],
    ['tags: [null]', 'jobs:t:tags config should be an array of strings'],
    ['dependencies: [null]', 'jobs:t dependencies should be an array of strings'],
    ['rules: [{changes: {paths: null}}]', 'jobs:t:rules:rule:changes paths should be an array of strings'],
    ['rules: [{changes: [null]}]', 'jobs:t:rules:rule:changes config should be an array of strings'],
    ['artifacts: {paths: [null]}', 'jobs:t:artifacts paths should be an array of strings'],
    ['cache: {paths: [null]}', 'jobs:t:cache:cache:paths config should be an array of strings'],
    ['retry: {when: [null]}', 'retry when should be an array of strings or a string'],
    [
      'only: [null]',
      'jobs:t:only config should be an array of strings or regular expressions using re2 syntax',
    ],
    ['parallel: {matrix: [null]}', 'jobs:t:parallel:matrix config should be an array of hashes'],
    ['id_tokens: {T: null}', 'jobs:t:id_tokens:t config missing required keys: aud'],
    [
      'secrets: {S: null}',
      'jobs:t:secrets:s config must use exactly one of these keys: vault, azure_key_vault, gcp_secret_manager, ' +
        'aws_secrets_manager, akeyless, gitlab_secrets_manager',
    ],
    ['inputs: {i: null}', 'jobs:t:inputs:i must have a default value'],
  ])('%s', async (keywords, message) => {
    expect((await errorsOf(`t: {script: x, ${keywords}}`))[0]).toBe(message)
  })

  test('trigger:include: [null]', async () => {
    expect(await errorsOf('t: {trigger: {include: [null]}}')).toEqual([
      "jobs:t:trigger:include config can't be blank",
    ])
  })
})
