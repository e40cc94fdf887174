import { describe, expect, test } from 'vitest'

import { compileText, errorsOf, planOf } from '../support/compile-text.js'

const rule = 'jobs:rspec:rules:rule'
const fifty = Array.from({ length: 50 }, (_, index) => `f${index}`).join(', ')

describe('rules of a job', () => {
  test.each<[string, ...string[]]>([
    ['[]', "jobs:rspec:rules config can't be blank"],
    ['{}', 'jobs:rspec rules should be an array containing hashes and arrays of hashes'],
    ['""', 'jobs:rspec rules should be an array containing hashes and arrays of hashes'],
    ['x', 'jobs:rspec rules should be an array containing hashes and arrays of hashes'],
    ['{if: $A}', 'jobs:rspec rules should be an array containing hashes and arrays of hashes'],
    ['[x]', 'jobs:rspec rules should be an array containing hashes and arrays of hashes'],
    ['[[{if: $A}, null]]', 'jobs:rspec rules should be an array containing hashes and arrays of hashes'],
    [
      `${'['.repeat(12)}{when: always}${']'.repeat(12)}`,
      'jobs:rspec rules should be an array containing hashes and arrays of hashes',
    ],
    ['[{}]', `${rule} config can't be blank`],
    ['[{foo: 1}]', `${rule} config contains unknown keys: foo`],
    ['[{auto_cancel: {}}]', `${rule} config contains unknown keys: auto_cancel`],
    ['[{if: 1}]', `${rule} if invalid expression syntax`],
    ['[{if: ""}]', `${rule} if invalid expression syntax`],
    ['[{if: "${A}"}]', `${rule} if invalid expression syntax`],
    ['[{if: "$A =~ /(/"}]', `${rule} if invalid expression syntax`],
    ['[{if: "$[[ inputs.x ]]"}]', `${rule} if invalid expression syntax`],
    ['[{if: [$A]}]', `${rule} if invalid expression syntax`],
    ['[{when: sometimes}]', `${rule} when unknown value: sometimes`],
    ['[{when: 1}]', `${rule} when unknown value: 1`],
    ['[{when: false}]', `${rule} when unknown value: false`],
    ['[{when: [always]}]', `${rule} when unknown value: ["always"]`],
    ['[{when: delayed}]', `${rule} start in can't be blank`],
    [
      '[{when: delayed, start_in: ""}]',
      `${rule} start in can't be blank`,
      `${rule} start in should be a duration`,
    ],
    ['[{when: delayed, start_in: soon}]', `${rule} start in should be a duration`],
    ['[{when: delayed, start_in: 8 days}]', `${rule} start in should not exceed the limit`],
    ['[{when: manual, start_in: 1 day}]', `${rule} config contains disallowed keys: start_in`],
    ['[{start_in: 1 day}]', `${rule} config contains disallowed keys: start_in`],
    ['[{allow_failure: 1}]', `${rule} allow failure should be a boolean value`],
    ['[{allow_failure: {exit_codes: 1}}]', `${rule} allow failure should be a boolean value`],
    ['[{interruptible: x}]', `${rule} interruptible should be a boolean value`],
    ['[{variables: [A]}]', `${rule}:variables config should be a hash of key value pairs`],
    ['[{variables: {A: {value: 1}}}]', `${rule}:variables:a config must be a string`],
    ['[{changes: a}]', `${rule}:changes should be an array or a hash`],
    ['[{changes: [1]}]', `${rule}:changes config should be an array of strings`],
    [`[{changes: [${fifty}, g]}]`, `${rule}:changes config has too many entries (maximum 50)`],
    ['[{changes: {compare_to: a}}]', `${rule}:changes config missing required keys: paths`],
    ['[{changes: {paths: a}}]', `${rule}:changes paths should be an array of strings`],
    [`[{changes: {paths: [${fifty}, g]}}]`, `${rule}:changes paths has too many entries (maximum 50)`],
    ['[{changes: {paths: [a], compare_to: 1}}]', `${rule}:changes compare to should be a string`],
    ['[{changes: {paths: [a], x: 1}}]', `${rule}:changes config contains unknown keys: x`],
    ['[{exists: 1}]', `${rule}:exists should be a string, an array of strings, or a hash`],
    ['[{exists: [1]}]', `${rule}:exists config should be an array of strings`],
    [`[{exists: [${fifty}, g]}]`, `${rule}:exists config has too many entries (maximum 50)`],
    ['[{exists: {project: a}}]', `${rule}:exists config missing required keys: paths`],
    ['[{exists: {paths: [a], ref: b}}]', `${rule}:exists config missing required keys: project`],
    ['[{exists: {paths: [a], project: 1}}]', `${rule}:exists project should be a string`],
    ['[{needs: x}]', `${rule}:needs config can only be a hash or an array`],
    // Every rule reports its own problems.
    ['[{when: x}, [{when: y}]]', `${rule} when unknown value: x`, `${rule} when unknown value: y`],
  ])('%s', async (rules, ...errors) => {
    expect(await errorsOf(`rspec: {script: x, rules: ${rules}}`)).toEqual(errors)
  })

  test('cannot stand beside only, except and start_in', async () => {
    expect(await errorsOf('rspec: {script: x, rules: [{when: always}], only: [main], except: []}')).toEqual([
      'jobs:rspec config key may not be used with `rules`: only, except',
    ])
    expect(await errorsOf('rspec: {script: x, rules: [{when: always}], only: null}')).toEqual([])
  })

  test('are as many as fit into ten lists inside one another', async () => {
    const nested = `${'['.repeat(11)}{when: always}${']'.repeat(11)}`
    expect(await errorsOf(`rspec: {script: x, rules: ${nested}}`)).toEqual([])
  })

  test('may need what the file defines, in time, and once', async () => {
    const file = (needs: string) => `
first: {script: x, stage: build}
last: {script: x, stage: deploy}
job: {script: x, rules: [{if: $A, needs: []}, {needs: ${needs}}]}`
    expect(await errorsOf(file('[first]'))).toEqual([])
    expect(await errorsOf(file('[none]'))).toEqual(['job job: undefined need: none'])
    expect(await errorsOf(file('[{job: none, optional: true}]'))).toEqual([])
    expect(await errorsOf(file('[last]'))).toEqual([
      'job job: need last is not defined in current or prior stages',
    ])
    expect(await errorsOf(file('[first, first]'))).toEqual(['job has the following needs duplicated: first.'])
  })

  test('that close a circle of needs are refused, and only when they match', async () => {
    const file = `
a: {script: x, rules: [{if: $CIRCLE == null}, {needs: [b]}]}
b: {script: x, needs: [a]}`
    expect(await errorsOf(file)).toEqual([])
    expect(await errorsOf(`variables: {CIRCLE: 1}\n${file}`)).toEqual([
      'The pipeline has circular dependencies: a -> b -> a',
    ])
  })

  test('are pointed at where they are written', async () => {
    const text = `
.shared:
  rules:
    - - if: $A
      - when: sometimes
rspec: {extends: .shared, script: x}`
    const result = await compileText(text)
    expect(result).toMatchObject({
      problems: [{ path: ['rspec', 'rules', '0', '1', 'when'], location: { line: 5 } }],
    })
  })

  test.each([
    ['[{if: $A}, {when: always}]', true],
    ['[{when: manual}]', true],
    ['[{when: never}]', false],
    ['[{when: always}, {if: $A}]', false],
    ['[{when: always, allow_failure: true}]', false],
    ['[{if: $A, when: always}]', false],
  ])('that end in %s may start two pipelines for one push: %j', async (rules, isWarned) => {
    const warning =
      'jobs:rspec may allow multiple pipelines to run for a single action due to `rules:when` clause with no `workflow:rules`'
    const job = `other: {script: x}\nrspec: {script: x, rules: ${rules}}`
    expect((await planOf(job)).warnings).toEqual(isWarned ? [warning] : [])
    expect((await planOf(`workflow: {rules: [{when: always}]}\n${job}`)).warnings).toEqual([])
  })
})

describe('workflow', () => {
  const workflowRule = 'workflow:rules:rule'

  test.each<[string, string]>([
    ['x', 'workflow config should be a hash'],
    ['{foo: 1}', 'workflow config contains unknown keys: foo'],
    ['{name: 1}', 'workflow name should be a string'],
    [`{name: ${'x'.repeat(256)}}`, 'workflow name is too long (maximum is 255 characters)'],
    ['{rules: []}', "workflow:rules config can't be blank"],
    ['{rules: x}', 'workflow:rules config should be an array'],
    ['{rules: [x]}', `${workflowRule} config should be a hash`],
    ['{auto_cancel: {on_new_commit: [none]}}', 'workflow:auto_cancel on new commit should be a string'],
    ['{auto_cancel: {on_job_failure: true}}', 'workflow:auto_cancel on job failure should be a string'],
    ['{rules: [{when: manual}]}', `${workflowRule} when unknown value: manual`],
    ['{rules: [{if: "a b"}]}', `${workflowRule} if invalid expression syntax`],
    ['{rules: [{interruptible: true}]}', `${workflowRule} config contains unknown keys: interruptible`],
    ['{rules: [{changes: 1}]}', `${workflowRule}:changes should be an array or a hash`],
    [
      '{auto_cancel: {on_new_commit: x}}',
      'workflow:auto_cancel on new commit must be one of: conservative, interruptible, none',
    ],
    ['{auto_cancel: {on_job_failure: x}}', 'workflow:auto_cancel on job failure must be one of: none, all'],
    ['{auto_cancel: x}', 'workflow:auto_cancel config should be a hash'],
    ['{auto_cancel: {x: 1}}', 'workflow:auto_cancel config contains unknown keys: x'],
    [
      '{rules: [{auto_cancel: {on_job_failure: x}}]}',
      `${workflowRule}:auto_cancel on job failure must be one of: none, all`,
    ],
  ])('%s', async (workflow, error) => {
    expect(await errorsOf(`workflow: ${workflow}\nrspec: {script: x}`)).toEqual([error])
  })

  test('tolerates keys that only mean something in jobs, and says so', async () => {
    const text = 'workflow: {rules: [{allow_failure: 7, needs: x, start_in: y}]}\nrspec: {script: x}'
    expect((await planOf(text)).warnings).toEqual([
      'workflow:rules:rule start_in has no effect: it is only valid in job rules',
      'workflow:rules:rule allow_failure has no effect: it is only valid in job rules',
      'workflow:rules:rule needs has no effect: it is only valid in job rules',
    ])
  })
})

describe('only and except', () => {
  test.each<[string, string]>([
    ['only: {variables: $A}', 'jobs:rspec:only variables should be an array of strings'],
    ['only: {variables: ["$A ="]}', 'jobs:rspec:only variables invalid expression syntax'],
    ['except: {changes: a}', 'jobs:rspec:except changes should be an array of strings'],
    [`except: {changes: [${fifty}, g]}`, 'jobs:rspec:except changes has too many entries (maximum 50)'],
    ['only: {kubernetes: yes}', 'jobs:rspec:only kubernetes unknown value: true'],
    ['only: {foo: 1}', 'jobs:rspec:only config contains unknown keys: foo'],
    ['only: 1', 'jobs:rspec:only has to be either an array of conditions or a hash'],
  ])('%s', async (policy, error) => {
    expect(await errorsOf(`rspec: {script: x, ${policy}}`)).toEqual([error])
  })
})
