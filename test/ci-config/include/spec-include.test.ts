import { describe, expect, test } from 'vitest'

import { childConfig } from '../../../src/coordinator/ci/engine/downstream/child-config.js'
import { jobsOf, problemsOf } from '../support/compile-project.js'
import { SHA } from '../support/project-sources.js'

const REMOTE = 'https://example.com/inputs.yml'
const AROUND = {
  remote: { [REMOTE]: 'inputs: {far: {default: away}}' },
  projects: {
    'other/lib': { 'a.yml': 'inputs: {a: {default: 1, type: number}}', 'b.yml': 'inputs: {b: null}' },
  },
}

function files(include: string, more: Record<string, string> = {}, inputs = '{own: {default: mine}}') {
  const header = `spec: {include: ${include}, inputs: ${inputs}}`
  return {
    '.gitlab-ci.yml': `${header}\n---\nj: {script: "$[[ inputs.own ]] $[[ inputs.shared ]]"}`,
    ...more,
  }
}

const SHARED = { 'shared.yml': 'inputs:\n  shared: {default: ours}' }

describe('spec:include puts the inputs of other files before those of the header', () => {
  test.each(['shared.yml', '[shared.yml]', '{local: /shared.yml}', '[{local: shared.yml}]'])(
    'of a file of the repository: %s',
    async (include) => {
      const { j } = await jobsOf(files(include, SHARED))
      expect(j?.options.script).toEqual(['mine ours'])
    },
  )

  test('of projects and addresses, in one list', async () => {
    const header = `spec: {include: [${REMOTE}, {project: other/lib, ref: main, file: [a.yml, b.yml]}]}`
    const text = `${header}\n---\nj: {script: "$[[ inputs.far ]] $[[ inputs.a ]] $[[ inputs.b ]]"}`
    const { j } = await jobsOf({ '.gitlab-ci.yml': text }, AROUND, { inputs: { b: 'given' } })
    expect(j?.options.script).toEqual(['away 1 given'])
  })

  test('for the first file of a child pipeline, too', async () => {
    const commit = { projectPath: 'group/project', sha: SHA }
    const { text, origin } = childConfig(['child.yml'], undefined, commit)
    const child = 'spec: {include: shared.yml}\n---\nj: {script: "$[[ inputs.shared ]]"}'
    const { j } = await jobsOf({ '.gitlab-ci.yml': text, 'child.yml': child, ...SHARED }, {}, { origin })
    expect(j?.options.script).toEqual(['ours'])
  })
})

describe('spec:include refuses', () => {
  test.each<[string, Record<string, string>, string]>([
    ['no.yml', {}, 'Local file `no.yml` does not exist!'],
    ['./shared.yml', SHARED, 'Local file `./shared.yml` does not exist! A path starts at'],
    ['{template: A.gitlab-ci.yml}', {}, 'header:spec:include config contains unknown keys: template'],
    ['{component: a/b/c@1}', {}, 'header:spec:include config contains unknown keys: component'],
    ['{local: shared.yml, rules: []}', SHARED, 'header:spec:include config contains unknown keys: rules'],
    ['{local: shared.yml, inputs: {}}', SHARED, 'header:spec:include config contains unknown keys: inputs'],
    ['1', {}, 'include config should be an array or a string'],
    ['x.yml', { 'x.yml': 'j: {script: x}' }, 'Header include file `x.yml` contains unknown keys: j'],
    [
      'x.yml',
      { 'x.yml': 'spec: {inputs: {}}\n---\ninputs: {}' },
      'Header include file `x.yml` contains unknown keys: spec',
    ],
    ['x.yml', { 'x.yml': 'inputs: [1]' }, '`x.yml`: inputs config should be a hash'],
    ['x.yml', { 'x.yml': 'inputs: {shared: 1}' }, 'header:spec:inputs:shared config should be a hash'],
    [
      'x.yml',
      { 'x.yml': 'inputs: {own: null, shared: null}' },
      'Duplicate input keys found: own. Input keys must be unique across all included files and inline specifications.',
    ],
  ])('%s with %j', async (include, more, message) => {
    const [first] = await problemsOf(files(include, more))
    expect(first).toContain(message)
  })

  test('itself in files that are included', async () => {
    const part = 'spec: {include: shared.yml}\n---\nj: {script: x}'
    expect(await problemsOf({ '.gitlab-ci.yml': 'include: part.yml', 'part.yml': part, ...SHARED })).toEqual([
      '`part.yml`: cannot use `spec:include`. This keyword is not supported in included configuration files',
    ])
  })

  test('more files than a configuration may include', async () => {
    const include = `[${Array.from({ length: 151 }, (_, i) => `x${i}.yml`).join(', ')}]`
    const more = Object.fromEntries(
      Array.from({ length: 151 }, (_, i) => [`x${i}.yml`, `inputs: {i${i}: {default: x}}`]),
    )
    expect(await problemsOf(files(include, more))).toEqual(['Maximum of 150 nested includes are allowed!'])
  })
})
