import { expect, test } from 'vitest'

import { ciPushOptions } from '../../../../../src/coordinator/hosting/repositories/push/push-options.js'

test('pipelines are given variables and inputs by push options; the last value of a name counts', () => {
  const options = [
    'ci.variable=A=1=2',
    'merge_request.create',
    'ci.variable=broken',
    'ci.variable=A=3',
    'ci.variable=B=',
    'ci.variable==x',
    'ci.input=__proto__=1',
    'ci.input=name=a=b\nc',
    'integrations.skip_ci',
  ]
  expect(ciPushOptions(options)).toEqual({
    skip: false,
    noPipeline: false,
    variables: [
      { key: 'A', value: '3', variable_type: 'env_var' },
      { key: 'B', value: '', variable_type: 'env_var' },
    ],
    inputs: Object.fromEntries([
      ['__proto__', '1'],
      ['name', 'a=b\nc'],
    ]),
  })
})

test.each([
  [[], { skip: false, noPipeline: false }],
  [['ci.skip'], { skip: true, noPipeline: false }],
  [['ci.no_pipeline'], { skip: false, noPipeline: true }],
  [['ci.skipped', 'ci.skip=1'], { skip: false, noPipeline: false }],
])('of the options %j it is known whether there are jobs, and a pipeline at all', (options, expected) => {
  expect(ciPushOptions(options)).toMatchObject(expected)
})
