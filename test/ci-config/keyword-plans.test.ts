import { describe, expect, test } from 'vitest'

import { jobOf, planOf } from './support/compile-text.js'
import { NO_CONTEXT_VARIABLES } from './support/no-context-variables.js'

function rspec(keywords: string) {
  return jobOf(`rspec: {script: x, ${keywords}}`, 'rspec')
}

async function optionsOf(keywords: string) {
  return (await rspec(keywords)).options
}

describe('allow_failure', () => {
  test.each<[string, boolean, number[] | undefined]>([
    ['allow_failure: true', true, undefined],
    ['allow_failure: {exit_codes: 137}', false, [137]],
    ['allow_failure: {exit_codes: [1, 2]}', false, [1, 2]],
    ['allow_failure: {exit_codes: 1}, when: manual', false, [1]],
  ])('%s', async (keywords, allowFailure, codes) => {
    const job = await rspec(keywords)
    expect([job.allowFailure, job.options.allowFailureCodes]).toEqual([allowFailure, codes])
  })
})

describe('retry', () => {
  test.each([
    ['retry: 0', { max: 0, when: ['always'], exitCodes: [] }],
    ['retry: 2', { max: 2, when: ['always'], exitCodes: [] }],
    ['retry: {max: 1}', { max: 1, when: ['always'], exitCodes: [] }],
    ['retry: {when: always}', { max: 0, when: ['always'], exitCodes: [] }],
    ['retry: {max: 2, when: script_failure}', { max: 2, when: ['script_failure'], exitCodes: [] }],
    [
      'retry: {max: 2, when: [runner_system_failure, api_failure]}',
      { max: 2, when: ['runner_system_failure', 'api_failure'], exitCodes: [] },
    ],
    ['retry: {max: 1, exit_codes: 42}', { max: 1, when: [], exitCodes: [42] }],
    [
      'retry: {max: 1, when: unknown_failure, exit_codes: [1, 2]}',
      { max: 1, when: ['unknown_failure'], exitCodes: [1, 2] },
    ],
  ])('%s', async (keywords, retry) => {
    expect((await optionsOf(keywords)).retry).toEqual(retry)
  })
})

describe('environment', () => {
  test.each([
    ['environment: production', { name: 'production', action: 'start' }],
    [
      'environment: {name: review/$CI, url: "https://$CI", auto_stop_in: 1 day, deployment_tier: testing}',
      { name: 'review/on', action: 'start', url: 'https://$CI', autoStopIn: '1 day', tier: 'testing' },
    ],
    [
      'variables: {LIFE: never, TIER: other}, environment: {name: a b.c, auto_stop_in: $LIFE, deployment_tier: $TIER}',
      { name: 'a b.c', action: 'start', autoStopIn: 'never', tier: 'other' },
    ],
    ['environment: {name: a, action: stop}', { name: 'a', action: 'stop' }],
    [
      'environment: {name: a, kubernetes: {agent: g:a, namespace: n, managed_resources: {enabled: true}}}',
      {
        name: 'a',
        action: 'start',
        kubernetes: { agent: 'g:a', namespace: 'n', managed_resources: { enabled: true } },
      },
    ],
  ])('%s', async (keywords, environment) => {
    const variables = { ...NO_CONTEXT_VARIABLES, predefined: [{ key: 'CI', value: 'on' }] }
    const job = await jobOf(`rspec: {script: x, ${keywords}}`, 'rspec', { variables })
    expect(job.environment).toEqual(environment)
  })
})

test('settings variables of the environment are seen by what is expanded', async () => {
  const settings = [
    { key: 'TAG', value: 'any' },
    { key: 'TAG', value: 'big', environmentScope: 'review/*' },
  ]
  const variables = { ...NO_CONTEXT_VARIABLES, settings }
  const text = 'variables: {WHERE: review}\nrspec: {script: x, tags: [$TAG], environment: $WHERE/a}'
  const job = await jobOf(text, 'rspec', { variables })
  expect([job.environment?.name, job.tags]).toEqual(['review/a', ['big']])
})

test('a release arrives as it is written', async () => {
  const text = `
rspec:
  script: x
  release:
    tag_name: $CI_COMMIT_TAG
    name: Release $CI_COMMIT_TAG
    description: ./notes.md
    tag_message: msg
    ref: $CI_COMMIT_SHA
    milestones: m1
    released_at: '2024-02-29T10:00:00.5+02:00'
    assets:
      links:
        - {name: a, url: 'https://example.com/a', filepath: /a, link_type: package}
        - {name: b, url: $URL}
`
  expect((await jobOf(text, 'rspec')).options.release).toEqual({
    tagName: '$CI_COMMIT_TAG',
    name: 'Release $CI_COMMIT_TAG',
    description: './notes.md',
    tagMessage: 'msg',
    ref: '$CI_COMMIT_SHA',
    milestones: ['m1'],
    releasedAt: '2024-02-29T10:00:00.5+02:00',
    links: [
      { name: 'a', url: 'https://example.com/a', filepath: '/a', linkType: 'package' },
      { name: 'b', url: '$URL' },
    ],
  })
})

test.each([['2024-02-29'], ['2024-02-29 10:00'], ['2024-12-31T23:59:60Z'], ['2024-01-01T00:00:00+0100']])(
  '%s is a time for a release',
  async (date) => {
    const { release } = await optionsOf(`release: {tag_name: t, description: d, released_at: "${date}"}`)
    expect(release?.releasedAt).toBe(date)
  },
)

describe('artifacts', () => {
  test.each([
    ['{paths: [a], expose_as: my file}', { exposeAs: 'my file' }],
    ['{paths: [a], public: false}', { access: 'developer' }],
    ['{paths: [a], access: none}', { access: 'none' }],
    ['{reports: {dotenv: build.env}}', { paths: [], reports: { dotenv: ['build.env'] } }],
  ])('%s', async (written, expected) => {
    expect((await optionsOf(`artifacts: ${written}`)).artifacts).toMatchObject(expected)
  })

  test.each(['{paths: [a]}', '{paths: [a], public: true}'])('%s are for all', async (written) => {
    expect((await optionsOf(`artifacts: ${written}`)).artifacts).not.toHaveProperty('access')
  })
})

describe('pages', () => {
  test.each([
    ['pages: true', { publish: 'public' }, ['public']],
    ['pages: {}', { publish: 'public' }, ['public']],
    ['pages: true, publish: dist', { publish: 'dist' }, ['dist']],
    ['pages: {publish: out}, artifacts: {paths: [a]}', { publish: 'out' }, ['a', 'out']],
    ['pages: true, artifacts: {paths: [public]}', { publish: 'public' }, ['public']],
    [
      'pages: {path_prefix: $CI, expire_in: never}',
      { publish: 'public', pathPrefix: '$CI', expireIn: 'never' },
      ['public'],
    ],
  ])('%s', async (keywords, pages, paths) => {
    const options = await optionsOf(keywords)
    expect(options.pages).toEqual(pages)
    expect(options.artifacts?.paths).toEqual(paths)
  })

  test('may be switched off for a job of that name', async () => {
    const plan = await planOf('pages: {script: x, pages: false}')
    expect(plan.jobs[0]?.options).toEqual({ script: ['x'], afterScript: [], services: [] })
    expect(plan.warnings).toEqual([])
  })

  test('are not published, and that is said', async () => {
    expect((await planOf('rspec: {script: x, pages: true}')).warnings).toEqual([
      'jobs:rspec stores its folder as an artifact: Switchyard does not publish pages, so download it from the job',
    ])
  })
})

test('a delayed job knows how long it waits', async () => {
  const longest = await rspec('when: delayed, start_in: 1 week')
  expect([longest.when, longest.startIn]).toEqual(['delayed', 604_800])
})

test.each([
  ['coverage: /\\d+%/', { coverage: '/\\d+%/' }],
  ['when: manual, manual_confirmation: Sure?', { manualConfirmation: 'Sure?' }],
  ['id_tokens: {A: {aud: x}, B: {aud: [y, z]}}', { idTokens: { A: { aud: ['x'] }, B: { aud: ['y', 'z'] } } }],
  [
    'secrets: {A: {vault: a/b@c, file: false}, B: {vault: {path: p, field: f}, token: $T}}',
    { secrets: { A: { vault: 'a/b@c', file: false }, B: { vault: { path: 'p', field: 'f' }, token: '$T' } } },
  ],
  ['image: {name: a, kubernetes: {user: 1000}}', { image: { name: 'a', kubernetes: { user: 1000 } } }],
])('%s', async (keywords, options) => {
  expect(await optionsOf(keywords)).toMatchObject(options)
})

test.each([
  ['a', 'a'],
  ['"$REF"', 'main'],
  ['"a${OTHER}"', 'a'],
])('resource_group: %s', async (written, resourceGroup) => {
  const variables = { ...NO_CONTEXT_VARIABLES, predefined: [{ key: 'REF', value: 'main' }] }
  const job = await jobOf(`rspec: {script: x, resource_group: ${written}}`, 'rspec', { variables })
  expect(job.resourceGroup).toBe(resourceGroup)
})

test('steps in the place of a script leave no room for scripts, those of the defaults included', async () => {
  const rspec = await jobOf(
    `
default: {before_script: [a], after_script: [b]}
rspec:
  run:
    - {name: one, script: echo 1, env: {A: '1', B: text, _c2: 'true'}}
    - [{name: two, step: gitlab.com/a/b@v1, inputs: {who: [x], none: null}}]
    - {name: three, func: {git: {url: u, rev: main}}}
`,
    'rspec',
  )
  expect(rspec.options).toMatchObject({
    script: [],
    afterScript: [],
    run: [
      { name: 'one', script: 'echo 1', env: { A: '1', B: 'text', _c2: 'true' } },
      { name: 'two', step: 'gitlab.com/a/b@v1', inputs: { who: ['x'], none: null } },
      { name: 'three', func: { git: { url: 'u', rev: 'main' } } },
    ],
  })
})

describe('defaults', () => {
  const defaults = 'default: {interruptible: true, retry: 1, id_tokens: {T: {aud: x}}}\n'

  test.each([
    ['stage: test', true, 1, { T: { aud: ['x'] } }],
    [
      'interruptible: false, retry: {max: 2, when: always}, id_tokens: {O: {aud: y}}',
      false,
      2,
      { O: { aud: ['y'] } },
    ],
    ['inherit: {default: false}', false, undefined, undefined],
    ['inherit: {default: [retry]}', false, 1, undefined],
  ])('%s', async (keywords, interruptible, retries, idTokens) => {
    const job = await jobOf(`${defaults}rspec: {script: x, ${keywords}}`, 'rspec')
    expect(job.interruptible).toBe(interruptible)
    expect(job.options.retry?.max).toBe(retries)
    expect(job.options.idTokens).toEqual(idTokens)
  })
})
