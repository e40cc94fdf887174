import { describe, expect, test } from 'vitest'

import { errorsOf } from './support/compile-text.js'

/** Keywords of one job that is right otherwise. */
const inJob: [string, string][] = [
  ['foo: 1', 'jobs:rspec config contains unknown keys: foo'],
  ['foo: 1, bar: 2', 'jobs:rspec config contains unknown keys: foo, bar'],
  ['type: test', 'jobs:rspec config contains unknown keys: type'],
  ['when: sometimes', 'jobs:rspec when should be one of: on_success, on_failure, always, manual, delayed'],
  ['when: never', 'jobs:rspec when should be one of: on_success, on_failure, always, manual, delayed'],
  ['allow_failure: maybe', 'jobs:rspec allow failure should be a hash or a boolean value'],
  ['allow_failure: {x: 1}', 'jobs:rspec:allow_failure config contains unknown keys: x'],
  ['dependencies: a', 'jobs:rspec dependencies should be an array of strings'],
  ['dependencies: [1]', 'jobs:rspec dependencies should be an array of strings'],
  ['stage: 1', 'jobs:rspec:stage config should be a string'],
  ['stage: [test]', 'jobs:rspec:stage config should be a string'],
  [`stage: ${'s'.repeat(256)}`, 'jobs:rspec:stage config is too long (maximum is 255 characters)'],
  [
    'before_script: {a: b}',
    'jobs:rspec:before_script config should be a string or a nested array of strings up to 10 levels deep',
  ],
  [
    'after_script: [a: b]',
    'jobs:rspec:after_script config should be a string or a nested array of strings up to 10 levels deep',
  ],
  [
    'before_script: [null]',
    'jobs:rspec:before_script config should be a string or a nested array of strings up to 10 levels deep',
  ],
  [
    `before_script: ${'['.repeat(12)}x${']'.repeat(12)}`,
    'jobs:rspec:before_script config should be a string or a nested array of strings up to 10 levels deep',
  ],
  ['tags: a', 'jobs:rspec:tags config should be an array of strings'],
  ['tags: [[a]]', 'jobs:rspec:tags config should be an array of strings'],
  [`tags: [${'a,'.repeat(50)}]`, 'jobs:rspec:tags config must be less than the limit of 50 tags'],
  ['timeout: soon', 'jobs:rspec:timeout config should be a duration'],
  ['timeout: 3600', 'jobs:rspec:timeout config should be a duration'],
  ['timeout: 0', 'jobs:rspec:timeout config should be a duration'],
  ['timeout: 5 weeks', 'jobs:rspec:timeout config should not exceed the limit'],
  ['image: 1', 'jobs:rspec:image config should be a hash or a string'],
  ['image: ""', "jobs:rspec:image name can't be blank"],
  ['image: {entrypoint: [x]}', "jobs:rspec:image name can't be blank"],
  ['image: {name: 1}', 'jobs:rspec:image name should be a string'],
  ['image: {name: x, entrypoint: y}', 'jobs:rspec:image entrypoint should be an array of strings'],
  ['image: {name: x, y: z}', 'jobs:rspec:image config contains unknown keys: y'],
  ['image: {name: x, pull_policy: y}', 'jobs:rspec:image:pull_policy config is not included in the list'],
  [
    'image: {name: x, pull_policy: [y, never, z]}',
    'jobs:rspec:image:pull_policy config contains unknown values: y, z',
  ],
  ['image: {name: x, pull_policy: []}', "jobs:rspec:image:pull_policy config can't be blank"],
  [
    'image: {name: x, pull_policy: 1}',
    'jobs:rspec:image:pull_policy config should be an array of strings or a string',
  ],
  ['image: {name: x, docker: y}', 'jobs:rspec:image executor opts value at `/docker` is not an object'],
  [
    'image: {name: x, docker: {a: b}}',
    'jobs:rspec:image executor opts object property at `/docker/a` is a disallowed additional property',
  ],
  [
    `image: {name: x, docker: {platform: ${'p'.repeat(65)}}}`,
    'jobs:rspec:image executor opts string length at `/docker/platform` is greater than: 64',
  ],
  ['services: redis', 'jobs:rspec:services config should be an array'],
  ['services: [1]', 'jobs:rspec:services:service config should be a hash or a string'],
  ['services: [{alias: db}]', "jobs:rspec:services:service name can't be blank"],
  ['services: [{name: x, alias: [y]}]', 'jobs:rspec:services:service alias should be a string'],
  ['services: [{name: x, foo: y}]', 'jobs:rspec:services:service config contains unknown keys: foo'],
  [
    'services: [{name: x, variables: {A: {value: 1}}}]',
    'jobs:rspec:services:service:variables:a config must be a string',
  ],
  [
    'services: [{name: x, command: [1]}]',
    'jobs:rspec:services:service:command config should be a string or a nested array of strings up to 10 levels deep',
  ],
  ['artifacts: [a]', 'jobs:rspec:artifacts config should be a hash'],
  ['artifacts: {foo: 1}', 'jobs:rspec:artifacts config contains unknown keys: foo'],
  ['artifacts: {paths: a}', 'jobs:rspec:artifacts paths should be an array of strings'],
  ['artifacts: {exclude: a}', 'jobs:rspec:artifacts exclude should be an array of strings'],
  ['artifacts: {name: 1}', 'jobs:rspec:artifacts name should be a string'],
  ['artifacts: {untracked: 1}', 'jobs:rspec:artifacts untracked should be a boolean value'],
  ['artifacts: {when: manual}', 'jobs:rspec:artifacts when should be one of: on_success, on_failure, always'],
  ['artifacts: {expire_in: soon}', 'jobs:rspec:artifacts expire in should be a duration'],
  ['artifacts: {reports: a}', 'jobs:rspec:artifacts reports should be a hash'],
  ['artifacts: {reports: {foo: a}}', 'jobs:rspec:artifacts:reports config contains unknown keys: foo'],
  [
    'artifacts: {reports: {junit: 1}}',
    'jobs:rspec:artifacts:reports junit should be an array of strings or a string',
  ],
  [
    'artifacts: {reports: {coverage_report: {coverage_format: x, path: y}}}',
    'jobs:rspec:artifacts:reports:coverage_report coverage format must be one of supported formats: cobertura, jacoco.',
  ],
  [
    'artifacts: {reports: {coverage_report: {coverage_format: jacoco}}}',
    "jobs:rspec:artifacts:reports:coverage_report path can't be blank",
  ],
  ['cache: a', 'jobs:rspec:cache config can only be a hash or an array'],
  ['cache: [{}, {}, {}, {}, {}]', 'jobs:rspec:cache config no more than 4 caches can be created'],
  ['cache: [a]', 'jobs:rspec:cache:cache config should be a hash'],
  ['cache: {foo: 1}', 'jobs:rspec:cache:cache config contains unknown keys: foo'],
  [
    'cache: {policy: x}',
    'jobs:rspec:cache:cache policy should be a variable or one of: pull-push, push, pull',
  ],
  ['cache: {when: never}', 'jobs:rspec:cache:cache when should be one of: on_success, on_failure, always'],
  [
    'cache: {fallback_keys: [a, b, c, d, e, f]}',
    'jobs:rspec:cache:cache fallback keys has to many entries (maximum 5)',
  ],
  ['cache: {fallback_keys: a}', 'jobs:rspec:cache:cache fallback keys should be an array of strings'],
  ['cache: {unprotect: a}', 'jobs:rspec:cache:cache unprotect should be a boolean value'],
  ['cache: {untracked: a}', 'jobs:rspec:cache:cache:untracked config should be a boolean value'],
  ['cache: {paths: a}', 'jobs:rspec:cache:cache:paths config should be an array of strings'],
  ['cache: {key: [a]}', 'jobs:rspec:cache:cache:key should be a hash, a string or a symbol'],
  [
    'cache: {key: {files: [a], prefix: [b]}}',
    'jobs:rspec:cache:cache:key:prefix config should be a string or symbol',
  ],
  ['cache: {key: a/b}', 'jobs:rspec:cache:cache:key config cannot contain the "/" character'],
  ['cache: {key: a%2Fb}', 'jobs:rspec:cache:cache:key config cannot contain the "/" character'],
  ['cache: {key: ".."}', 'jobs:rspec:cache:cache:key config cannot be "." or ".."'],
  ['cache: {key: "%2E"}', 'jobs:rspec:cache:cache:key config cannot be "." or ".."'],
  [
    'cache: {key: {prefix: a}}',
    'jobs:rspec:cache:cache:key config must use exactly one of these keys: files, files_commits',
  ],
  [
    'cache: {key: {files: [a], files_commits: [b]}}',
    'jobs:rspec:cache:cache:key config must use exactly one of these keys: files, files_commits',
  ],
  ['cache: {key: {files: []}}', 'jobs:rspec:cache:cache:key:files config requires at least 1 item'],
  [
    'cache: {key: {files: [a, b, c]}}',
    'jobs:rspec:cache:cache:key:files config has too many items (maximum is 2)',
  ],
  [
    'cache: {key: {files: [a], prefix: a/b}}',
    'jobs:rspec:cache:cache:key:prefix config cannot contain the "/" character',
  ],
  ['hooks: a', 'jobs:rspec:hooks config should be a hash'],
  ['hooks: {post: a}', 'jobs:rspec:hooks config contains unknown keys: post'],
  [
    'hooks: {pre_get_sources_script: 1}',
    'jobs:rspec:hooks:pre_get_sources_script config should be a string or a nested array of strings up to 10 levels deep',
  ],
  ['variables: a', 'jobs:rspec:variables config should be a hash of key value pairs'],
  ['variables: [A: b]', 'jobs:rspec:variables config should be a hash of key value pairs'],
  ['variables: {A: [b]}', 'variable definition must be either a string or a hash'],
  ['variables: {A: {description: b}}', 'jobs:rspec:variables:a config uses invalid data keys: description'],
  ['variables: {A: {value: [b]}}', 'jobs:rspec:variables:a config value must be a scalar'],
  ['variables: {A: {value: b, expand: c}}', 'jobs:rspec:variables:a config expand should be a boolean value'],
  ['needs: build', 'jobs:rspec:needs config can only be a hash or an array'],
  ['needs: {}', 'jobs:rspec:needs config can not be an empty hash'],
  ['needs: [1]', 'jobs:rspec:needs:need has an unsupported type'],
  ['needs: [{artifacts: true}]', 'jobs:rspec:needs:need has an unsupported type'],
  ['needs: [{job: a, foo: 1}]', 'jobs:rspec:needs:need config contains unknown keys: foo'],
  ['needs: [{job: 1}]', 'jobs:rspec:needs:need job should be a string'],
  ['needs: [{job: ""}]', "jobs:rspec:needs:need job can't be blank"],
  ['needs: [{job: a, artifacts: x}]', 'jobs:rspec:needs:need artifacts should be a boolean value'],
  ['needs: [{job: a, optional: x}]', 'jobs:rspec:needs:need optional should be a boolean value'],
  ['needs: [other], dependencies: [a, b]', 'jobs:rspec dependencies the a, b should be part of needs'],
  ['only: main', 'jobs:rspec:only has to be either an array of conditions or a hash'],
  ['except: 1', 'jobs:rspec:except has to be either an array of conditions or a hash'],
  ['only: {foo: 1}', 'jobs:rspec:only config contains unknown keys: foo'],
  [
    'only: {refs: main}',
    'jobs:rspec:only refs should be an array of strings or regular expressions using re2 syntax',
  ],
  [
    'only: [/(/]',
    'jobs:rspec:only config should be an array of strings or regular expressions using re2 syntax',
  ],
  [
    'except: [1]',
    'jobs:rspec:except config should be an array of strings or regular expressions using re2 syntax',
  ],
  ['inherit: true', 'jobs:rspec:inherit config should be a hash'],
  ['inherit: {foo: 1}', 'jobs:rspec:inherit config contains unknown keys: foo'],
  ['inherit: {default: 1}', 'jobs:rspec:inherit:default should be a bool or array of strings'],
  ['inherit: {default: [foo]}', 'jobs:rspec:inherit:default config contains unknown values: foo'],
  ['inherit: {variables: x}', 'jobs:rspec:inherit:variables should be a bool or array of strings'],
  ['trigger: other', 'jobs:rspec config these keys cannot be used together: script, trigger'],
  ['run: []', 'jobs:rspec config these keys cannot be used together: script, run'],
  ['rules: [], only: [main]', 'jobs:rspec config key may not be used with `rules`: only'],
]

describe('errors in a job name the job and the key', () => {
  test.each(inJob)('%s', async (keywords, message) => {
    const [first] = await errorsOf(`other: {script: x}\nrspec: {script: x, ${keywords}}`)
    expect(first).toBe(message)
  })
})

describe('errors in the file as a whole', () => {
  test.each<[string, string]>([
    ['.a: {script: x}', 'jobs config should contain at least one visible job'],
    ['stages: [a]', 'jobs config should contain at least one visible job'],
    ['rspec: {stage: test}', 'jobs rspec config should implement the script:, run:, or trigger: keyword'],
    ['foo: bar', 'jobs foo config should implement the script:, run:, or trigger: keyword'],
    ['my job: {stage: x}', 'jobs my_job config should implement the script:, run:, or trigger: keyword'],
    ['my job 2: {stage: x}', 'jobs my job 2 config should implement the script:, run:, or trigger: keyword'],
    ['types: [a]', 'jobs types config should implement the script:, run:, or trigger: keyword'],
    ['rspec: {script: ""}', "jobs:rspec script can't be blank"],
    ['rspec: {script: []}', "jobs:rspec script can't be blank"],
    ['rspec: {script: null}', "jobs:rspec script can't be blank"],
    [
      'rspec: {script: 1}',
      'jobs:rspec:script config should be a string or a nested array of strings up to 10 levels deep',
    ],
    ['RSpec: {script: x, Foo: 1}', 'jobs:rspec config contains unknown keys: foo'],
    ['.hidden: ""\nrspec: {script: x}', "jobs:.hidden config can't be blank"],
    ['"": {script: x}', "jobs: name can't be blank"],
    [
      `${'j'.repeat(256)}: {script: x}`,
      `jobs:${'j'.repeat(256)} name is too long (maximum is 255 characters)`,
    ],
    ['rspec: {needs: [a]}', 'jobs:rspec config should contain either a trigger or a needs:pipeline'],
    ['rspec: {needs: [a], tags: [b]}', 'jobs:rspec config contains unknown keys: tags'],
    [
      'stages: 1',
      'stages config should be an array of strings or a nested array of strings up to 10 levels deep',
    ],
    [
      'stages: [1]',
      'stages config should be an array of strings or a nested array of strings up to 10 levels deep',
    ],
    ['variables: [a]', 'variables config should be a hash of key value pairs'],
    ['variables: {A: {value: x, foo: y}}', 'variables:a config uses invalid data keys: foo'],
    ['variables: {A: {value: x, options: [y]}}', 'variables:a config value must be present in options'],
    ['variables: {A: {options: [y]}}', 'variables:a config value must be present in options'],
    ['variables: {A: {value: x, options: x}}', 'variables:a config options should be an array of strings'],
    [
      'variables: {A: {value: x, description: [x]}}',
      'variables:a config description must be an alphanumeric string',
    ],
    ['default: [a]', 'default config should be a hash'],
    ['default: {stage: x}', 'default config contains unknown keys: stage'],
    ['cache: {}\ndefault: {cache: {}}', 'cache is defined in top-level and `default:` entry'],
    ['default: {image: 1}', 'default:image config should be a hash or a string'],
    ['image: 1', 'image config should be a hash or a string'],
    ['image: a\ndefault: {image: b}', 'image is defined in top-level and `default:` entry'],
    [
      'before_script: a\ndefault: {before_script: b}',
      'before_script is defined in top-level and `default:` entry',
    ],
  ])('%s', async (text, message) => {
    const [first] = await errorsOf(text)
    expect(first).toBe(message)
  })

  test('a file that is not there', async () => {
    expect(await errorsOf(undefined)).toEqual(['Missing CI config file'])
  })
})

describe('lists of lines may be nested ten levels deep and no deeper', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}x${']'.repeat(levels)}`

  test.each(['script', 'before_script', 'after_script', 'stages'])('%s', async (key) => {
    const text = (levels: number) =>
      key === 'stages'
        ? `stages: ${nested(levels)}\nrspec: {script: x, stage: x}`
        : `rspec: {script: x, ${key}: ${nested(levels)}}`
    expect(await errorsOf(text(10))).toEqual([])
    const [first] = await errorsOf(text(11))
    expect(first).toContain('a nested array of strings up to 10 levels deep')
  })
})

test('only the first hundred problems are reported', async () => {
  const jobs = Array.from({ length: 5000 }, (_, index) => `j${index}: {script: x, foo: 1}`)
  expect(await errorsOf(jobs.join('\n'))).toHaveLength(100)
})

test('independent problems are all reported, in order', async () => {
  const text = `
stages: 1
variables: 2
one: {script: x, tags: 3, timeout: soon}
two: {script: x, foo: 1, when: x, image: 4}
three: {script: x, artifacts: {paths: x, expire_in: soon}}`
  expect(await errorsOf(text)).toEqual([
    'variables config should be a hash of key value pairs',
    'stages config should be an array of strings or a nested array of strings up to 10 levels deep',
    'jobs:one:tags config should be an array of strings',
    'jobs:one:timeout config should be a duration',
    'jobs:two config contains unknown keys: foo',
    'jobs:two when should be one of: on_success, on_failure, always, manual, delayed',
    'jobs:three:artifacts paths should be an array of strings',
    'jobs:three:artifacts expire in should be a duration',
  ])
})
