import { describe, expect, test } from 'vitest'

import { didYouMean } from '../../src/ci-config/suggestion.js'
import { compileText, planOf } from './support/compile-text.js'

/** The errors and warnings of an invalid file. */
async function findings(text: string, file = 'a.yml'): Promise<{ errors: string[]; warnings: string[] }> {
  const around = { projects: { 'group/project': { 'a.yml': '.base: {script: x}' } } }
  const origin = { file, commit: { projectPath: 'group/project', sha: 'a'.repeat(40) } }
  const result = await compileText(text, { origin }, around)
  if (result.kind !== 'invalid') throw new Error(`the file is ${result.kind}`)
  return result
}

describe('a misspelled word gives a warning with the allowed one, and its error stays as it is', () => {
  test.each<[string, string, string]>([
    ['a: {script: x, artefacts: {paths: [b]}}', 'artifacts', 'artefacts'],
    ['a: {script: x, befor_script: y}', 'before_script', 'befor_script'],
    ['a: {script: x, Tags: [y]}', 'tags', 'Tags'],
    ['a: {script: x, allow-failure: true}', 'allow_failure', 'allow-failure'],
    ['a: {script: x, artifacts: {path: [b]}}', 'paths', 'path'],
    ['a: {script: x, artifacts: {reports: {junits: b}}}', 'junit', 'junits'],
    ['a: {script: x, when: on_sucess}', 'on_success', 'on_sucess'],
    ['a: {script: x, rules: [{when: allways}]}', 'always', 'allways'],
    ['a: {script: x, rules: [{iff: $A}]}', 'if', 'iff'],
    ['a: {script: x, cache: {policy: pul-push}}', 'pull-push', 'pul-push'],
    ['a: {script: x, cache: {kye: b}}', 'key', 'kye'],
    ['a: {script: x, retry: {max: 1, when: [script_failed]}}', 'script_failure', 'script_failed'],
    ['a: {script: x, retry: {max: 1, when: alway}}', 'always', 'alway'],
    ['a: {script: x, image: {name: i, pull_policy: allways}}', 'always', 'allways'],
    ['a: {script: x, inherit: {default: [befor_script]}}', 'before_script', 'befor_script'],
    ['a: {script: x, environment: {name: e, action: stopp}}', 'stop', 'stopp'],
    ['a: {script: x, environment: {name: e, deployment_tier: stagin}}', 'staging', 'stagin'],
    ['variables: {A: {value: b, descripton: c}}\na: {script: x}', 'description', 'descripton'],
    [
      'workflow: {auto_cancel: {on_new_commit: interuptible}}\na: {script: x}',
      'interruptible',
      'interuptible',
    ],
    ['build-app: {stage: build, script: x}\na: {script: x, needs: [build-ap]}', 'build-app', 'build-ap'],
    [
      'build-app: {stage: build, script: x}\na: {script: x, needs: [{job: buildapp}]}',
      'build-app',
      'buildapp',
    ],
    [
      'build: {stage: build, script: x, parallel: 2}\na: {script: x, dependencies: [biuld]}',
      'build',
      'biuld',
    ],
    ['stages: [build, tests]\na: {stage: test, script: x}', 'tests', 'test'],
    ['.bases: {script: x}\na: {extends: .base}', '.bases', '.base'],
    ['.bases: {script: x}\na: {extends: [.bsaes]}', '.bases', '.bsaes'],
    ['.setup: {script: x}\na: {script: [!reference [.setpu, script]]}', '.setup', '.setpu'],
    ['.setup: {script: x}\na: {script: [!reference [.setup, skript]]}', 'script', 'skript'],
    ['stage: [build]\na: {script: x}', 'stages', 'stage'],
    ['befor_script: [x]\na: {script: x}', 'before_script', 'befor_script'],
    ['variabels: {A: b}\na: {script: x}', 'variables', 'variabels'],
    ['a: {scirpt: x}', 'script', 'scirpt'],
    ['a: {triger: b}', 'trigger', 'triger'],
    ['a: {script: x, image: {nmae: b}}', 'name', 'nmae'],
    ['default: {befor_script: x}\na: {script: x}', 'before_script', 'befor_script'],
    ['workflow: {rule: []}\na: {script: x}', 'rules', 'rule'],
    ['spec: {input: {}}\n---\na: {script: x}', 'inputs', 'input'],
    ['a: {stage: tets, script: x}', 'test', 'tets'],
    ['include: {lokal: a.yml}\na: {script: x}', 'local', 'lokal'],
    ['include: {local: a.yml, input: {}}\na: {script: x}', 'inputs', 'input'],
    [
      'spec: {inputs: {version: {default: a}}}\n---\na: {script: "$[[ inputs.verison ]]"}',
      'version',
      'verison',
    ],
    ['a: {script: "${{ job.inputs.wrod }}", inputs: {word: {default: b}}}', 'word', 'wrod'],
    ['a: {script: x, environment: {name: e, on_stop: stpo}}\nstop: {script: x}', 'stop', 'stpo'],
  ])('%s', async (text, allowed, written) => {
    const { errors, warnings } = await findings(text)
    expect(warnings).toEqual([`Did you mean \`${allowed}\` instead of \`${written}\`?`])
    expect(errors[0]).not.toContain('Did you mean')
  })

  test.each([
    'a: {script: x, sleep: 1}',
    'a: {script: x, needs: [compile]}',
    'a: {script: x, when: x}',
    'a: {script: x, when: [always]}',
    'stage: build',
  ])('no word is invented for %s', async (text) => {
    const { warnings } = await findings(text)
    expect(warnings.filter((warning) => !warning.includes('`stages`'))).toEqual([])
  })

  test('long words, and words that differ in much, get none', () => {
    const among = Array.from({ length: 5000 }, (_, index) => 'a'.repeat(58) + String(index))
    expect(didYouMean({ words: ['a'.repeat(64)], among })).toBeUndefined()
    expect(didYouMean({ words: ['a'.repeat(65)], among: ['a'.repeat(64)] })).toBeUndefined()
  })

  test('of two words that are as close, the first is named', () => {
    expect(didYouMean({ words: ['jobx'], among: ['job1', 'job2'] })).toBe(
      'Did you mean `job1` instead of `jobx`?',
    )
  })

  test('a keyword of jobs at the top is named with its place', async () => {
    const { warnings } = await findings('tags: [x]\na: {script: x}')
    expect(warnings).toEqual([
      '`tags` at the top level is read as a job. Write it in a job, or in `default`.',
    ])
    expect((await findings('rules: [{if: $A}]\na: {script: x}')).warnings).toEqual([
      '`rules` at the top level is read as a job. Write it in a job.',
    ])
  })
})

describe('a key that is written twice gives a warning with both lines', () => {
  test.each([
    [
      'a: {script: x}\nb: {script: x}\na: {script: y}\n',
      'The key `a` is in lines 1 and 3 of .gitlab-ci.yml: only the last one counts',
    ],
    [
      'a:\n  script: x\n  tags: [t]\n  tags: [u]\n',
      'The key `tags` is in lines 3 and 4 of .gitlab-ci.yml: only the last one counts',
    ],
    [
      '"a": {script: x}\na: &b {script: y}\n',
      'The key `a` is in lines 1 and 2 of .gitlab-ci.yml: only the last one counts',
    ],
  ])('%j', async (text, warning) => {
    expect((await planOf(text)).warnings).toEqual([warning])
  })

  test('also if the file has errors', async () => {
    const { warnings } = await findings('a: {script: x}\na: {script: x, foo: 1}\n')
    expect(warnings).toEqual(['The key `a` is in lines 1 and 2 of a.yml: only the last one counts'])
  })

  test('but not keys that a merge key brings', async () => {
    expect((await planOf('.x: &x {script: x}\na: {<<: *x, script: y}\n')).warnings).toEqual([])
  })
})

describe('a wrong item of a list is pointed at', () => {
  test.each<[string, number]>([
    ['a:\n  script:\n    - x\n    - b: c\n', 4],
    ['a:\n  script:\n    - x\n    - - y\n      - 1\n', 5],
    ['a:\n  script: x\n  tags:\n    - x\n    - 1\n', 5],
    ['a:\n  script: x\n  artifacts:\n    paths:\n      - x\n      - [y]\n', 6],
    ['a:\n  script: x\n  cache:\n    paths:\n      - x\n      - 1\n', 6],
    ['a:\n  script: x\n  dependencies:\n    - a\n    - 1\n', 5],
    ['a:\n  script: x\n  only:\n    - main\n    - /(/\n', 5],
    ['a:\n  script: x\n  only:\n    variables:\n      - $A\n      - "$B =="\n', 6],
    ['a:\n  script: x\n  rules:\n    - if: $A\n    - x\n', 5],
    ['a:\n  script: x\n  rules:\n    - changes:\n        - x\n        - 1\n', 6],
    ['a:\n  script: x\n  retry:\n    max: 1\n    when:\n      - always\n      - x\n', 7],
    ['a:\n  script: x\n  parallel:\n    matrix:\n      - A: 1\n      - x\n', 6],
    ['a:\n  script: x\n  needs:\n    - b\n    - c\nb: {stage: build, script: x}\n', 5],
    ['a:\n  script: x\n  needs:\n    - b\n    - job: c\nb: {stage: build, script: x}\n', 5],
    ['a:\n  script: x\n  dependencies:\n    - b\n    - c\nb: {stage: build, script: x}\n', 5],
    ['a:\n  script: x\n  extends:\n    - .b\n    - .c\n.b: {tags: [x]}\n', 5],
    ['stages:\n  - build\n  - 1\na: {script: x}\n', 3],
    ['include:\n  - local: a.yml\n  - local: b.yml\na: {script: x}\n', 3],
    ['a:\n  script: x\n  allow_failure:\n    exit_codes:\n      - 1\n      - x\n', 6],
    ['a:\n  script: x\n  inherit:\n    default:\n      - tags\n      - x\n', 6],
  ])('%j', async (text, line) => {
    const around = { projects: { 'group/project': { 'a.yml': '.base: {script: x}' } } }
    const origin = { file: 'a.yml', commit: { projectPath: 'group/project', sha: 'a'.repeat(40) } }
    const result = await compileText(text, { origin }, around)
    expect(result).toMatchObject({ kind: 'invalid', problems: [{ location: { line } }] })
  })
})
