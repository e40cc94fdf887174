import { describe, expect, test } from 'vitest'

import { errorsOf, jobOf } from './support/compile-text.js'

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
    const { options } = await jobOf(
      text.replace('inputs.true', 'inputs.on').replace('    on:', '    "on":'),
      't',
    )
    expect(options).toMatchObject({
      script: ['echo hello 3', 'false ["a",1]', 'nested', 'v1.2'],
      image: { name: 'node:3' },
      services: [{ name: 'redis:hello' }],
      artifacts: { paths: ['hello/'] },
      caches: [{ key: 'hello' }],
    })
  })

  test('are text where a job has none', async () => {
    const { options } = await jobOf("t: {script: ['${{ job.inputs.a }}']}", 't')
    expect(options.script).toEqual(['${{ job.inputs.a }}'])
  })

  test.each([
    ['inputs: a', 'jobs:t:inputs config should be a hash'],
    ['inputs: {a: b}', 'jobs:t:inputs:a config should be a hash'],
    ['inputs: {a: null}', 'jobs:t:inputs:a config must have a default value'],
    ['inputs: {a: {}}', 'jobs:t:inputs:a config must have a default value'],
    ['inputs: {a: {default: b, foo: c}}', 'jobs:t:inputs:a config contains unknown keys: foo'],
    ['inputs: {a: {default: 1}}', 'jobs:t:inputs:a config default value is not a string'],
    ['inputs: {a: {type: number, default: x}}', 'jobs:t:inputs:a config default value is not a number'],
    ['inputs: {a: {type: boolean, default: x}}', 'jobs:t:inputs:a config default value is not a boolean'],
    ['inputs: {a: {type: array, default: x}}', 'jobs:t:inputs:a config default value is not an array'],
    ['inputs: {a: {type: map, default: x}}', 'jobs:t:inputs:a type unknown value: map'],
    [
      'inputs: {a: {default: x, options: [y]}}',
      'jobs:t:inputs:a config default value is not in the list of allowed options',
    ],
    [
      'inputs: {a: {type: boolean, default: true, options: [true]}}',
      'jobs:t:inputs:a config options can only be used with string and number inputs',
    ],
    [
      'inputs: {a: {default: x, regex: "^y"}}',
      'jobs:t:inputs:a config default value does not match required regex pattern',
    ],
    ['inputs: {a: {default: x, regex: "("}}', 'jobs:t:inputs:a regex invalid regular expression'],
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
