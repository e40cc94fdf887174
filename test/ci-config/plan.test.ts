import { describe, expect, test } from 'vitest'

import {
  compileText,
  errorsOf,
  jobOf,
  namesOf,
  planOf,
  pushOfTag,
  variablesOf,
} from './support/compile-text.js'
import { NO_CONTEXT_VARIABLES } from './support/no-context-variables.js'

describe('a job with only a script', () => {
  test('gets every default of the language', async () => {
    expect(await jobOf('job: {script: echo}', 'job')).toEqual({
      name: 'job',
      stage: 'test',
      stageIndex: 2,
      when: 'on_success',
      allowFailure: false,
      schedulingType: 'stage',
      needs: [],
      tags: [],
      variables: [],
      interruptible: false,
      options: { script: ['echo'], afterScript: [], services: [] },
    })
  })
})

test('every keyword arrives in the plan', async () => {
  const text = `
variables: {TOP: 1, BOTH: top}
job:
  stage: deploy
  image: {name: node:20, entrypoint: [""], pull_policy: if-not-present, docker: {platform: linux/arm64, user: me}}
  services:
    - redis:7
    - name: postgres:16
      alias: db
      command: [postgres, -c, fsync=off]
      entrypoint: [run]
      pull_policy: [always, never]
      variables: {POSTGRES_DB: test}
  variables: {BOTH: job, RAW: {value: $TOP, expand: false}}
  before_script: setup
  script: [one, [two, [three]]]
  after_script: [done]
  tags: [docker, big]
  artifacts: {paths: [out/], exclude: [out/tmp], name: result, when: always, expire_in: 1 week}
  timeout: 1h 30m
  when: always
  allow_failure: true
`
  const job = await jobOf(text, 'job')
  expect(job.variables).toEqual([
    { key: 'TOP', value: '1', raw: false },
    { key: 'BOTH', value: 'job', raw: false },
    { key: 'RAW', value: '$TOP', raw: true },
  ])
  expect(job).toMatchObject({ stageIndex: 3, when: 'always', allowFailure: true, tags: ['docker', 'big'] })
  expect(job.options).toEqual({
    script: ['setup', 'one', 'two', 'three'],
    afterScript: ['done'],
    image: {
      name: 'node:20',
      entrypoint: [''],
      pullPolicy: ['if-not-present'],
      docker: { platform: 'linux/arm64', user: 'me' },
    },
    services: [
      { name: 'redis:7' },
      {
        name: 'postgres:16',
        entrypoint: ['run'],
        pullPolicy: ['always', 'never'],
        command: ['postgres', '-c', 'fsync=off'],
        alias: 'db',
        variables: [{ key: 'POSTGRES_DB', value: 'test', raw: false }],
      },
    ],
    artifacts: {
      paths: ['out/'],
      exclude: ['out/tmp'],
      untracked: false,
      name: 'result',
      when: 'always',
      expireIn: '1 week',
    },
    timeout: 5400,
  })
})

describe('defaults', () => {
  const defaults = `
default:
  image: base
  services: [redis]
  before_script: [d]
  after_script: [e]
  tags: [t]
  artifacts: {paths: [p]}
`

  test('are used for keys that a job does not set', async () => {
    const job = await jobOf(`${defaults}job: {script: x}`, 'job')
    expect(job.tags).toEqual(['t'])
    expect(job.options).toMatchObject({
      script: ['d', 'x'],
      afterScript: ['e'],
      image: { name: 'base' },
      services: [{ name: 'redis' }],
      artifacts: { paths: ['p'] },
    })
  })

  test('are replaced as a whole by the value of a job, even an empty one', async () => {
    const job = await jobOf(
      `${defaults}job: {script: x, before_script: [], after_script: [], services: [], tags: [], image: own, artifacts: {untracked: true}}`,
      'job',
    )
    expect(job.tags).toEqual([])
    expect(job.options).toMatchObject({
      script: ['x'],
      afterScript: [],
      image: { name: 'own' },
      services: [],
    })
    expect(job.options.artifacts).toMatchObject({ paths: [], untracked: true })
  })

  test('are used for null, which is the same as not written', async () => {
    const job = await jobOf(`${defaults}job: {script: x, before_script: null, tags: ~}`, 'job')
    expect(job.options.script).toEqual(['d', 'x'])
    expect(job.tags).toEqual(['t'])
  })

  test('may stand at the top of the file in the older way', async () => {
    const text = 'image: base\nservices: [redis]\nbefore_script: d\nafter_script: e\njob: {script: x}'
    expect((await jobOf(text, 'job')).options).toEqual({
      script: ['d', 'x'],
      afterScript: ['e'],
      image: { name: 'base' },
      services: [{ name: 'redis' }],
    })
  })

  test.each([
    ['{default: false}', { script: ['x'], tags: [] }],
    ['{default: [image]}', { script: ['x'], tags: [] }],
    ['{default: [tags, before_script]}', { script: ['d', 'x'], tags: ['t'] }],
    ['{default: true}', { script: ['d', 'x'], tags: ['t'] }],
  ])('are taken over as inherit says: %s', async (inherit, expected) => {
    const job = await jobOf(`${defaults}job: {script: x, inherit: ${inherit}}`, 'job')
    expect({ script: job.options.script, tags: job.tags }).toEqual(expected)
  })

  test('with a timeout are warned about: it has no effect', async () => {
    const plan = await planOf('default: {timeout: 1h}\njob: {script: x}')
    expect(plan.warnings).toEqual(['default:timeout has no effect: write timeout in each job'])
    expect(plan.jobs[0]?.options.timeout).toBeUndefined()
  })
})

describe('variables', () => {
  test.each<[string, string]>([
    ['true', 'true'],
    ['1.0', '1.0'],
    ['012', '10'],
    ['"012"', '012'],
    ['y', 'y'],
    ['', ''],
    ['{value: 5}', '5'],
    ['{}', ''],
    ['{value: a, description: why, options: [a, b]}', 'a'],
  ])('written as %j are %j', async (written, value) => {
    const job = await jobOf(`variables:\n  A: ${written}\njob: {script: x}`, 'job')
    expect(variablesOf(job)).toEqual({ A: value })
  })

  test.each([
    ['{variables: false}', {}],
    ['{variables: [A, NONE]}', { A: '1' }],
    ['{variables: true}', { A: '1', B: '2' }],
  ])('at the top are taken over as inherit says: %s', async (inherit, expected) => {
    const job = await jobOf(`variables: {A: 1, B: 2}\njob: {script: x, inherit: ${inherit}}`, 'job')
    expect(variablesOf(job)).toEqual(expected)
  })

  test('an empty map in a job drops none of them', async () => {
    expect(variablesOf(await jobOf('variables: {A: 1}\njob: {script: x, variables: {}}', 'job'))).toEqual({
      A: '1',
    })
  })

  test('may have the names that objects have', async () => {
    const job = await jobOf('variables: {__proto__: a, constructor: b}\n__proto__: {script: x}', '__proto__')
    expect(job.variables.map(({ key, value }) => [key, value])).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })
})

describe('tags', () => {
  test.each([
    ['$A', ['one']],
    ['"${A}-%A%"', ['one-one']],
    ['$UNKNOWN', ['$UNKNOWN']],
    ['$NESTED', ['$A']],
    ['$$A', ['$$A']],
    ['$SET', ['from-settings']],
    ['$A, one, $A', ['one']],
  ])('%s becomes %j', async (written, tags) => {
    const text = `variables: {A: one, NESTED: $A, SET: from-file}\njob: {script: x, tags: [${written}]}`
    const variables = { ...NO_CONTEXT_VARIABLES, settings: [{ key: 'SET', value: 'from-settings' }] }
    expect((await jobOf(text, 'job', { variables })).tags).toEqual(tags)
  })
})

test('variables that go round in a circle fail every job that has them', async () => {
  const text =
    'a: {script: x, variables: {A: $B, B: $A}}\nb: {script: x}\nc: {script: x, variables: {C: $D, D: $C}}'
  expect(await errorsOf(text)).toEqual([
    'a: circular variable reference detected: ["A", "B"]',
    'c: circular variable reference detected: ["C", "D"]',
  ])
})

describe('a manual job', () => {
  test.each([
    ['when: manual', true],
    ['when: manual, allow_failure: false', false],
    ['when: manual, allow_failure: null', true],
    ['allow_failure: true', true],
    ['when: on_failure', false],
  ])('%s: may fail %j', async (keywords, allowFailure) => {
    expect((await jobOf(`job: {script: x, ${keywords}}`, 'job')).allowFailure).toBe(allowFailure)
  })
})

describe('artifacts', () => {
  test('without a path leave nothing', async () => {
    expect(
      (await jobOf('job: {script: x, artifacts: {expire_in: never}}', 'job')).options.artifacts,
    ).toBeUndefined()
  })

  test('may never expire', async () => {
    const job = await jobOf('job: {script: x, artifacts: {paths: [a], expire_in: never}}', 'job')
    expect(job.options.artifacts?.expireIn).toBe('never')
  })
})

describe('the order of a plan', () => {
  test('is that of the stages, then that of the file', async () => {
    const text = `
stages: [b, a, .post]
last: {script: x, stage: .post}
in a: {script: x, stage: a}
2: {script: x, stage: b}
1: {script: x, stage: b}
first: {script: x, stage: .pre}`
    const plan = await planOf(text)
    expect(plan.stages).toEqual(['.pre', 'b', 'a', '.post'])
    expect(plan.jobs.map(({ name, stageIndex }) => [name, stageIndex])).toEqual([
      ['first', 0],
      ['2', 1],
      ['1', 1],
      ['in a', 2],
      ['last', 3],
    ])
  })

  test('counts a stage once', async () => {
    expect((await planOf('stages: [test, build, test]\njob: {script: x}')).stages).toEqual([
      '.pre',
      'test',
      'build',
      '.post',
    ])
  })
})

describe('needs', () => {
  const build = 'build: {script: x, only: [tags]}\n'

  test('make a job go by the graph, even when there are none', async () => {
    const text =
      'a: {script: x}\nb: {script: x, needs: []}\nc: {script: x, needs: [a, {job: b, artifacts: false}]}'
    expect((await planOf(text)).jobs.map(({ schedulingType, needs }) => [schedulingType, needs])).toEqual([
      ['stage', []],
      ['dag', []],
      [
        'dag',
        [
          { name: 'a', artifacts: true, optional: false },
          { name: 'b', artifacts: false, optional: false },
        ],
      ],
    ])
  })

  test('the error lists every needed job that is missing from the pipeline', async () => {
    const text = `${build}one: {script: x, needs: [build]}\ntwo: {script: x, needs: [build]}`
    const message = (job: string) =>
      `'${job}' job needs 'build' job, but 'build' does not exist in the pipeline. This might be because of the only, ` +
      'except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.'
    expect(await errorsOf(text)).toEqual([message('one'), message('two')])
    expect(await errorsOf(text, pushOfTag)).toEqual([])
  })

  test('that are optional and not there are forgotten', async () => {
    const text = `${build}job: {script: x, needs: [{job: build, optional: true}]}`
    expect(await jobOf(text, 'job')).toMatchObject({ schedulingType: 'dag', needs: [] })
    expect((await jobOf(text, 'job', pushOfTag)).needs).toEqual([
      { name: 'build', artifacts: true, optional: true },
    ])
  })

  test('are at most fifty', async () => {
    const jobs = Array.from({ length: 51 }, (_, index) => `j${index}: {script: x}`)
    const needing = (count: number) =>
      `${jobs.join('\n')}\njob: {script: x, needs: [${jobs
        .slice(0, count)
        .map((_, index) => `j${index}`)
        .join(', ')}]}`
    expect(await errorsOf(needing(50))).toEqual([])
    expect(await errorsOf(needing(51))).toEqual([
      'job: one job can only need 50 others, but you have listed 51. See needs keyword documentation for more details',
    ])
  })
})

describe('a pipeline without jobs', () => {
  test.each([
    ['no job is for this event', 'job: {script: x, only: [tags]}'],
    ['only stages at the edges have jobs', 'a: {script: x, stage: .pre}\nb: {script: x, stage: .post}'],
  ])('%s', async (_, text) => {
    expect(await compileText(text)).toEqual({
      kind: 'empty',
      message:
        'The resulting pipeline would have been empty. Review the rules configuration for the relevant jobs.',
    })
  })
})

test('hidden jobs are no jobs, and default may be the name of one', async () => {
  expect(await namesOf('.a: {script: x}\ndefault: {script: x}\njob: {script: x}')).toEqual(['default', 'job'])
})

test('a job named pages runs, with a warning', async () => {
  const plan = await planOf('pages: {script: x}')
  expect(plan.jobs.map(({ name }) => name)).toEqual(['pages'])
  expect(plan.warnings).toEqual([
    'jobs:pages stores its folder as an artifact: Switchyard does not publish pages, so download it from the job',
  ])
})

test('defaults that multiply by the jobs end in a clear error', async () => {
  const lines = Array.from({ length: 5000 }, () => 'x').join(', ')
  const jobs = Array.from({ length: 1000 }, (_, index) => `j${index}: {script: x}`).join('\n')
  expect(await errorsOf(`before_script: [${lines}]\n${jobs}`)).toEqual([
    'The pipeline is too big: its jobs contain more than 1000000 script lines and variables',
  ])
})

test('a job may say its priority by a variable, from wherever variables come', async () => {
  const jobs =
    'a: {script: x}\nb: {script: x, variables: {SWITCHYARD_PRIORITY: -2}}\nc: {script: x, variables: {SWITCHYARD_PRIORITY: ""}}'
  const plan = await planOf(`variables: {NIGHT: "-10", SWITCHYARD_PRIORITY: $NIGHT}\n${jobs}`)
  expect(plan.jobs.map(({ priority }) => priority)).toEqual([-10, -2, undefined])
})

test.each(['11', '-11', '0.5', 'high'])('%j is no priority', async (value) => {
  expect(await errorsOf(`a: {script: x, variables: {SWITCHYARD_PRIORITY: "${value}"}}`)).toEqual([
    `a: the variable SWITCHYARD_PRIORITY should be an integer from -10 to 10, not "${value}"`,
  ])
})
