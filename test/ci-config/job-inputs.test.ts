import { describe, expect, test } from 'vitest'

import { withGivenInputs } from '../../src/ci-config/inputs/given-job-inputs.js'
import { withJobInputs } from '../../src/ci-config/inputs/job-input-blocks.js'
import type { JobOptions } from '../../src/ci-config/plan.js'
import { errorsOf, jobOf } from './support/compile-text.js'

/** What the runner gets of a job, no value being given. */
async function filledIn(text: string): Promise<JobOptions> {
  return withJobInputs((await jobOf(text, 't')).options)
}

describe('inputs of a job (CI language, 5.4)', () => {
  test('stand with their defaults in what the runner gets', async () => {
    const text = `
t:
  inputs:
    word: {default: hello}
    count: {type: number, default: 3, options: [1, 3]}
    on: {type: boolean, default: false}
    list: {type: array, default: [a, 1]}
    safe: {default: v1.2, regex: '^v[/\\d.]+$', description: A version}
  before_script: ['echo \${{ job.inputs.word }} \${{job.inputs.count}}']
  script: ['\${{ job.inputs.true }} \${{ job.inputs.list }}', [nested, '\${{ job.inputs.safe }}']]
  image: {name: 'node:\${{ job.inputs.count }}'}
  services: ['redis:\${{ job.inputs.word }}']
  artifacts: {paths: ['\${{ job.inputs.word }}/']}
  cache: {key: '\${{ job.inputs.word }}'}
`
    const options = await filledIn(text.replace('inputs.true', 'inputs.on').replace('    on:', '    "on":'))
    expect(options).toMatchObject({
      script: ['echo hello 3', 'false ["a",1]', 'nested', 'v1.2'],
      image: { name: 'node:3' },
      services: [{ name: 'redis:hello' }],
      artifacts: { paths: ['hello/'] },
      caches: [{ key: 'hello' }],
    })
  })

  test('also in what comes from the defaults of the file', async () => {
    const text =
      'default: {before_script: ["echo ${{ job.inputs.a }} ${{ job.inputs.b }}"]}\nt: {script: x, inputs: {a: {default: y}}}'
    expect((await filledIn(text)).script).toEqual(['echo y ${{ job.inputs.b }}', 'x'])
  })

  test('are put in once: what a value says is text', async () => {
    const text =
      't: {script: "${{ job.inputs.a }}", inputs: {a: {default: "$& ${{ job.inputs.b }}"}, b: {default: x}}}'
    expect((await filledIn(text)).script).toEqual(['$& ${{ job.inputs.b }}'])
  })

  test('stay as they were written until the job is dispatched', async () => {
    const { options } = await jobOf('t: {script: "${{ job.inputs.a }}", inputs: {a: {default: x}}}', 't')
    expect(options).toMatchObject({
      script: ['${{ job.inputs.a }}'],
      inputs: [{ name: 'a', type: 'string', text: 'x' }],
    })
  })

  test('are text where a job has none', async () => {
    const { options } = await jobOf("t: {script: ['${{ job.inputs.a }}']}", 't')
    expect(options.script).toEqual(['${{ job.inputs.a }}'])
  })

  test.each([
    ['inputs: a', 'jobs:t:inputs config should be a hash'],
    ['inputs: {a: b}', 'jobs:t:inputs:a config should be a hash'],
    ['inputs: {a: null}', 'jobs:t:inputs:a must have a default value'],
    ['inputs: {a: {}}', 'jobs:t:inputs:a must have a default value'],
    [
      'inputs: {a: {default: b, options: [b, null]}}',
      'jobs:t:inputs:a config options array cannot contain null values',
    ],
    [
      'inputs: {a: {default: b, description: [c]}}',
      'jobs:t:inputs:a input description must be an alphanumeric string',
    ],
    ['inputs: {a: {default: b, foo: c}}', 'jobs:t:inputs:a config contains unknown keys: foo'],
    ['inputs: {a: {default: 1}}', 'jobs:t inputs `a`: default value is not a string'],
    ['inputs: {a: {type: number, default: x}}', 'jobs:t inputs `a`: default value is not a number'],
    ['inputs: {a: {type: boolean, default: x}}', 'jobs:t inputs `a`: default value is not a boolean'],
    ['inputs: {a: {type: array, default: x}}', 'jobs:t inputs `a`: default value is not an array'],
    ['inputs: {a: {type: map, default: x}}', 'jobs:t:inputs:a input type unknown value: map'],
    [
      'inputs: {a: {default: x, options: [y]}}',
      'jobs:t inputs `a`: `x` cannot be used because it is not in the list of allowed options',
    ],
    [
      'inputs: {a: {type: boolean, default: true, options: [true]}}',
      'jobs:t inputs `a`: options can only be used with string and number inputs',
    ],
    [
      'inputs: {a: {default: x, regex: "^y"}}',
      'jobs:t inputs `a`: default value does not match required regex pattern',
    ],
    ['inputs: {a: {default: x, regex: "("}}', 'jobs:t inputs `a`: invalid regular expression'],
    [
      `inputs: {${Array.from({ length: 51 }, (_, index) => `i${index}: {default: x}`).join(', ')}}`,
      'jobs:t:inputs config has too many entries (maximum 50)',
    ],
    [
      'inputs: {a: {default: x}}, before_script: "${{ job.inputs.b }}"',
      'jobs:t config refers to unknown inputs: b',
    ],
  ])('%s', async (keywords, message) => {
    const [first] = await errorsOf(`t: {script: x, ${keywords}}`)
    expect(first).toBe(message)
  })

  test('that grow beyond measure end in a clear error', async () => {
    const uses = '${{ job.inputs.a }}'.repeat(1000)
    const text = `t: {script: ["${uses}"], inputs: {a: {default: ${'x'.repeat(100_000)}}}}`
    expect(await errorsOf(text)).toEqual(['The variables expand to more than 16777216 characters'])
  })
})

describe('values that are given to the inputs of a job', () => {
  const text = `
t:
  script: '\${{ job.inputs.word }} \${{ job.inputs.count }} \${{ job.inputs.list }} \${{ job.inputs.flag }}'
  inputs:
    word: {default: hello, regex: '^[a-z]+$'}
    count: {type: number, default: 3, options: [1, 3]}
    list: {type: array, default: []}
    flag: {type: boolean, default: false}
`

  test.each([
    [{ word: 'moon' }, 'moon 3 [] false'],
    [{ count: 1, list: ['a', 2], flag: true }, 'hello 1 ["a",2] true'],
    [{ count: '1', list: '[1]', flag: 'true' }, 'hello 1 [1] true'],
  ])('%j', async (given, line) => {
    const { options } = await jobOf(text, 't')
    const outcome = withGivenInputs(options.inputs ?? [], given)
    if (outcome.kind === 'wrong') throw new Error(outcome.errors.join())
    expect(withJobInputs({ ...options, inputs: outcome.inputs }).script).toEqual([line])
  })

  test.each([
    [{ word: 'NO' }, '`word` input: provided value does not match required RegEx pattern'],
    [{ word: 3 }, '`word` input: provided value is not a string'],
    [{ word: null }, '`word` input: provided value is not a string'],
    [{ count: 2 }, '`count` input: `2` cannot be used because it is not in the list of the allowed options'],
    [{ count: 'x' }, '`count` input: provided value is not a number'],
    [{ flag: 'x' }, '`flag` input: provided value is not a boolean'],
    [{ list: 'x' }, '`list` input: provided value is not an array'],
    [{ x: 1, toString: 2 }, 'unknown input arguments: x, toString'],
  ])('%j is refused', async (given, message) => {
    const { options } = await jobOf(text, 't')
    expect(withGivenInputs(options.inputs ?? [], { ...given })).toEqual({ kind: 'wrong', errors: [message] })
  })
})
