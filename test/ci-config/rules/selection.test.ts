import { describe, expect, test } from 'vitest'

import type { PipelineContext } from '../../../src/ci-config/plan.js'
import { compileText, errorsOf, planOf, pushOfMain, pushOfTag, variablesOf } from '../support/compile-text.js'
import { NO_CONTEXT_VARIABLES } from '../support/no-context-variables.js'
import { SHA, type Surroundings } from '../support/project-sources.js'

const push: PipelineContext = {
  ...pushOfMain,
  origin: { file: '.gitlab-ci.yml', commit: { projectPath: 'group/project', sha: SHA } },
}
const tag: PipelineContext = { ...push, ...pushOfTag }
const web: PipelineContext = { ...push, source: 'web' }
const mergeRequest: PipelineContext = {
  ...push,
  source: 'merge_request_event',
  ref: 'refs/merge-requests/1/head',
}

function given(variables: Record<string, string>): PipelineContext {
  const pipeline = Object.entries(variables).map(([key, value]) => ({ key, value }))
  return { ...push, variables: { ...NO_CONTEXT_VARIABLES, pipeline } }
}

/** Names of the jobs of the pipeline; what came instead when there is none. */
async function selected(text: string, context = push, around: Surroundings = {}): Promise<string[] | string> {
  const result = await compileText(text, context, around)
  switch (result.kind) {
    case 'plan':
      return result.plan.jobs.map(({ name }) => name)
    case 'invalid':
      return result.errors.join('\n')
    default:
      return result.kind
  }
}

describe('the conformance vectors: a job is in the pipeline', () => {
  test.each<[string, PipelineContext, string[] | undefined, string, boolean]>([
    ['push to a branch', push, [], '', true],
    ['merge request', mergeRequest, [], '', false],
    ['tag', tag, undefined, 'rules: [{changes: [x]}]', true],
    ['push of a new branch', push, undefined, 'rules: [{changes: [x]}]', true],
    ['push that leaves x alone', push, ['y'], 'rules: [{changes: [x]}]', false],
    ['push that changes x', push, ['y', 'x'], 'rules: [{changes: [x]}]', true],
    ['web', web, undefined, 'only: [branches]', true],
    ['web', web, undefined, 'only: [pushes]', false],
    ['any', push, undefined, 'rules: [{if: $U, when: never}, {when: on_success}]', true],
    ['any', push, undefined, 'rules: [{if: $U}]', false],
  ])('%s (%o, changed %j), %s: %j', async (_, context, changed, keywords, isThere) => {
    const text = `job: {script: x, ${keywords}}`
    expect(await selected(text, context, { ...(changed && { changed }) })).toEqual(
      isThere ? ['job'] : 'empty',
    )
  })

  test('for a merge request too when the workflow allows it', async () => {
    const workflow = 'workflow: {rules: [{when: always}]}\n'
    expect(await selected(`${workflow}job: {script: x}`, mergeRequest)).toEqual(['job'])
    expect(await selected(`${workflow}job: {script: x, only: {variables: [$U == null]}}`, mergeRequest)).toBe(
      'empty',
    )
    expect(await selected(`workflow: {name: x}\njob: {script: x}`, mergeRequest)).toBe('empty')
  })
})

describe('the first rule that matches decides', () => {
  test.each<[string, boolean]>([
    ['[{when: never}, {when: always}]', false],
    ['[{if: $A}, {when: never}]', true],
    ['[{if: $A, when: never}, {when: always}]', false],
    ['[{if: $U}, {if: $A}]', true],
    ['[[{if: $U}, [{if: $A}]], {when: never}]', true],
    ['[{if: null}]', true],
    ['[{if: $A, changes: [x]}]', true],
    ['[{if: $A, changes: [z]}]', false],
    ['[{changes: [x], exists: [here]}]', true],
    ['[{changes: [x], exists: [gone]}]', false],
    ['[{exists: "*.md"}]', true],
    ['[{exists: {paths: [there], project: other/project, ref: v1}}]', true],
    ['[{changes: {paths: [since], compare_to: $BASE}}]', true],
    // Values are compared as they are, references in them untouched; patterns are expanded.
    ["[{if: $NESTED == '$A'}]", true],
    ['[{changes: ["$NESTED/*"]}]', true],
    // The variables of the file are seen, those of the rules are not.
    ['[{if: $TOP && $OWN}]', true],
    ['[{if: $RULE, variables: {RULE: 1}}]', false],
    ['[{if: $TOP == "given"}]', true],
  ])('%s: %j', async (rules, isThere) => {
    const text = `
variables: {TOP: top, NESTED: $A}
other: {script: x}
job: {script: x, variables: {OWN: own}, rules: ${rules}}`
    const around = {
      changed: ['x', 'a/b'],
      changedSince: { main: ['since'] },
      projects: { 'group/project': { here: '', 'a.md': '' }, 'other/project': { there: '' } },
      refs: ['v1'],
    }
    const found = await selected(text, given({ A: 'a', BASE: 'main', TOP: 'given' }), around)
    expect(found).toEqual(isThere ? ['other', 'job'] : ['other'])
  })

  test('and a missing needed job fails the pipeline with an error that names the job', async () => {
    const text = `
one: {script: x, rules: [{changes: {paths: [a], compare_to: gone}}]}
two: {script: x, rules: [{exists: {paths: [a], project: no/where}}]}
three: {script: x, rules: [{exists: {paths: [a], project: $P, ref: gone}}]}
four: {script: x, rules: [{if: $U, changes: {paths: [a], compare_to: gone}}]}`
    expect(await selected(text, given({ P: 'group/project' }), { projects: { 'group/project': {} } })).toBe(
      [
        'Failed to parse rule for one: rules:changes:compare_to is not a valid ref',
        'Failed to parse rule for two: rules:exists:project `no/where` not found or access denied',
        'Failed to parse rule for three: rules:exists:ref `gone` is not a valid ref in project `group/project`',
      ].join('\n'),
    )
  })
})

describe('the matching rule changes the job', () => {
  const jobOf = async (text: string, context = push) => {
    const { jobs } = await planOf(text, context)
    return jobs.find(({ name }) => name === 'job')
  }

  test.each<[string, object]>([
    ['rules: [{when: manual}]', { when: 'manual', allowFailure: false }],
    ['rules: [{when: manual, allow_failure: true}]', { when: 'manual', allowFailure: true }],
    ['when: manual, rules: [{if: null}]', { when: 'manual', allowFailure: true }],
    ['when: manual, rules: [{when: on_success}]', { when: 'on_success', allowFailure: true }],
    ['when: manual, rules: [{allow_failure: false}]', { when: 'manual', allowFailure: false }],
    ['when: manual, allow_failure: false, rules: [{when: manual}]', { when: 'manual', allowFailure: false }],
    ['allow_failure: true, rules: [{when: always}]', { when: 'always', allowFailure: true }],
    ['rules: [{when: on_failure}]', { when: 'on_failure', allowFailure: false }],
    ['rules: [{when: delayed, start_in: 2 minutes}]', { when: 'delayed', startIn: 120, allowFailure: false }],
    ['rules: [{interruptible: true}]', { interruptible: true }],
    ['rules: [{if: null}]', { interruptible: false, when: 'on_success', allowFailure: false }],
  ])('%s', async (keywords, expected) => {
    expect(await jobOf(`job: {script: x, ${keywords}}`)).toMatchObject(expected)
  })

  test('its variables win over those of the job', async () => {
    const text = `
variables: {A: top, B: top, C: top}
job: {script: x, variables: {A: job, B: job}, tags: [$A], rules: [{variables: {A: rule, D: 1}}]}`
    const job = await jobOf(text)
    expect(job && variablesOf(job)).toEqual({ A: 'rule', B: 'job', C: 'top', D: '1' })
    expect(job?.tags).toEqual(['rule'])
  })

  test.each<[string, string[], string]>([
    ['rules: [{needs: [one]}]', ['one'], 'dag'],
    ['needs: [one, two], rules: [{needs: [two]}]', ['two'], 'dag'],
    ['needs: [one], rules: [{needs: []}]', [], 'dag'],
    ['rules: [{needs: []}]', [], 'stage'],
    ['needs: [one], rules: [{when: always}]', ['one'], 'dag'],
    // What a rule needs and is not there is not waited for.
    ['rules: [{needs: [one, gone]}]', ['one'], 'dag'],
  ])('its needs replace the list: %s', async (keywords, needs, schedulingType) => {
    const text = `
one: {script: x}
two: {script: x}
gone: {script: x, rules: [{when: never}]}
job: {script: x, ${keywords}}`
    const job = await jobOf(text)
    expect(job?.needs.map(({ name }) => name)).toEqual(needs)
    expect(job?.schedulingType).toBe(schedulingType)
  })

  test('the needs of the job itself must exist', async () => {
    const text = `
gone: {script: x, rules: [{if: $U}]}
job: {script: x, needs: [gone]}`
    expect(await errorsOf(text)).toEqual([
      "'job' job needs 'gone' job, but 'gone' does not exist in the pipeline. This might be because of the only, " +
        'except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.',
    ])
    expect(await selected(text.replace('[gone]', '[{job: gone, optional: true}]'))).toEqual(['job'])
  })
})

describe('workflow', () => {
  const job = '\njob: {script: x}'

  test.each<[string, string[] | string]>([
    ['{rules: [{when: never}]}', 'filtered'],
    ['{rules: [{if: $U}]}', 'filtered'],
    ['{rules: [{if: $A}]}', ['job']],
    ['{rules: [{if: $U}, {when: always}]}', ['job']],
    ['{rules: [{if: $A, when: never}, {when: always}]}', 'filtered'],
    ['{rules: [{changes: [x]}]}', ['job']],
    ['{rules: [{changes: [y]}]}', 'filtered'],
    ['{rules: [{exists: [y]}]}', 'filtered'],
    ['{rules: [{if: $TOP}]}', ['job']],
    ['{rules: [{if: $OWN}]}', 'filtered'],
    ['{}', ['job']],
    [
      '{rules: [{changes: {paths: [x], compare_to: gone}}]}',
      'Failed to parse rule for workflow: rules:changes:compare_to is not a valid ref',
    ],
  ])('%s: %j', async (workflow, expected) => {
    const text = `workflow: ${workflow}\nvariables: {TOP: 1}\njob: {script: x, variables: {OWN: 1}}`
    expect(await selected(text, given({ A: 'a' }), { changed: ['x'] })).toEqual(expected)
  })

  test('says why there is no pipeline, but only for a file that is right', async () => {
    expect(await compileText(`workflow: {rules: [{when: never}]}${job}`)).toEqual({
      kind: 'filtered',
      message: 'Pipeline filtered out by workflow rules.',
    })
    expect(await errorsOf(`workflow: {rules: [{when: never}]}\njob: {script: x, foo: 1}`)).toHaveLength(1)
  })

  test('adds the variables of its rule to those at the top', async () => {
    const text = `
workflow: {rules: [{variables: {A: workflow, B: workflow, C: workflow}}]}
variables: {A: top, D: top}
job: {script: x, variables: {B: job}, rules: [{if: $A == "workflow" && $B == "job", variables: {C: rule}}]}
apart: {script: x, inherit: {variables: false}}
some: {script: x, inherit: {variables: [C]}}`
    const { jobs } = await planOf(text)
    expect(jobs.map(variablesOf)).toEqual([
      { A: 'workflow', B: 'job', C: 'rule', D: 'top' },
      {},
      { C: 'workflow' },
    ])
  })

  test.each<[string, string | undefined]>([
    ['Build', 'Build'],
    ['"  $TOP of $A$NONE "', 'top of a'],
    ['$RULE', 'rule'],
    ['"$NONE "', undefined],
    ['$LONG', 'é'.repeat(255)],
  ])('gives the pipeline the name %s', async (name, expected) => {
    const text = `
workflow: {name: ${name}, rules: [{variables: {RULE: rule}}]}
variables: {TOP: top}
job: {script: x, rules: [{if: $CI_PIPELINE_NAME, variables: {NAMED: 1}}, {when: always}]}`
    const plan = await planOf(text, given({ A: 'a', LONG: 'é'.repeat(300) }))
    expect(plan.name).toBe(expected)
    expect(plan.jobs.map(variablesOf)[0]).toHaveProperty(expected === undefined ? 'TOP' : 'NAMED')
  })

  test.each<[string, object]>([
    ['{}', { onNewCommit: 'conservative', onJobFailure: 'none' }],
    ['{auto_cancel: {on_new_commit: none}}', { onNewCommit: 'none', onJobFailure: 'none' }],
    [
      '{auto_cancel: {on_new_commit: none, on_job_failure: all}, rules: [{auto_cancel: {on_new_commit: interruptible}}]}',
      { onNewCommit: 'interruptible', onJobFailure: 'all' },
    ],
  ])('decides what is canceled by itself: %s', async (workflow, expected) => {
    expect((await planOf(`workflow: ${workflow}${job}`)).autoCancel).toEqual(expected)
  })
})

describe('only and except', () => {
  test.each<[string, PipelineContext, boolean]>([
    ['only: {variables: [$A]}', given({ A: '1' }), true],
    ['only: {variables: [$A]}', push, false],
    ['only: {variables: [$U, $A == "1"]}', given({ A: '1' }), true],
    ['only: {variables: []}', push, false],
    ['only: {variables: [$OWN]}', push, true],
    ['only: {changes: [x]}', push, true],
    ['only: {changes: [y]}', push, false],
    ['only: {changes: ["$DIR/*"]}', given({ DIR: 'd' }), false],
    ['only: {changes: [x], variables: [$A]}', push, false],
    ['only: {refs: [tags], changes: [x]}', push, false],
    // A map without refs still asks for branches and tags.
    ['only: {changes: [x]}', mergeRequest, false],
    ['only: {refs: [merge_requests], changes: [x]}', mergeRequest, true],
    ['only: [merge_requests]', mergeRequest, true],
    ['only: [merge_request]', mergeRequest, true],
    ['only: [branches, tags]', mergeRequest, false],
    ['only: [/refs/]', mergeRequest, false],
    ['only: [refs/merge-requests/1/head]', mergeRequest, false],
    ['only: [external_pull_requests]', { ...push, source: 'external_pull_request_event' }, true],
    ['only: [parent_pipelines]', { ...push, source: 'parent_pipeline' }, true],
    ['only: [parent_pipeline]', { ...push, source: 'parent_pipeline' }, true],
    ['only: [chat]', { ...push, source: 'chat' }, true],
    ['only: {kubernetes: active}', push, false],
    ['except: {kubernetes: active}', push, true],
    ['except: {variables: [$A]}', given({ A: '1' }), false],
    ['except: {variables: [$A]}', push, true],
    ['except: {changes: [x]}', push, false],
    ['except: {changes: [y]}', push, true],
    ['except: {changes: [y], refs: [main]}', push, false],
    ['only: {variables: [$OWN]}, except: {changes: [x]}', push, false],
  ])('%s, %o: %j', async (policies, context, isThere) => {
    const text = `job: {script: x, variables: {OWN: 1}, ${policies}}`
    const around = { changed: ['x', 'd/y'] }
    expect(await selected(text, context, around)).toEqual(isThere ? ['job'] : 'empty')
  })

  test('changes without a list of files hold', async () => {
    expect(await selected('job: {script: x, only: {changes: [y]}}', tag)).toEqual(['job'])
    expect(await selected('job: {script: x, except: {changes: [y]}}', tag)).toBe('empty')
  })
})

describe('very many regular expressions end in a clear error', () => {
  const jobs = (count: number, rule: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `j${index}: {script: x, rules: [${rule(index)}]}`).join('\n')

  test('when they are large', async () => {
    const text = jobs(100, (index) => `{if: "$A =~ /${index}x{1000}/"}`)
    expect(await selected(text)).toBe('The regular expressions of the configuration are too large')
    expect(await selected(jobs(100, () => '{if: "$U =~ /^x{1000}/"}'))).toBe('empty')
  })

  test('when they come from variables', async () => {
    const variables: Record<string, string> = { A: 'a' }
    for (let index = 0; index < 100; index++) variables[`P${index}`] = `/${index}x{1000}/`
    const text = jobs(100, (index) => `{if: $A =~ $P${index}}`)
    expect(await selected(text, given(variables))).toBe(
      'The regular expressions of the configuration are too large',
    )
  })

  test('when they look through long texts', async () => {
    const long = given({ A: 'x'.repeat(100_000) })
    const text = jobs(100, (index) => `{if: "$A =~ /[^${index}]{100}!/"}`)
    expect(await selected(text, long)).toBe('The regular expressions in rules search too much text')
    // The same question is asked once.
    expect(
      await selected(
        jobs(100, () => '{if: "$A =~ /x{100}!/"}'),
        long,
      ),
    ).toBe('empty')
  })
})

test('patterns that take a backtracking engine exponential time are matched in linear time, from every source', async () => {
  const text = `
one: {script: x, rules: [{if: $A =~ /^(a+)+$/}]}
two: {script: x, rules: [{if: $A =~ $P}]}
three: {script: x, rules: [{changes: ["${'*a'.repeat(60)}"]}]}
four: {script: x}`
  const context = given({ A: `${'a'.repeat(20_000)}!`, P: '/^(a|aa)+$/' })
  expect(await selected(text, context, { changed: ['a'.repeat(4000) + 'b'] })).toEqual(['four'])
})
