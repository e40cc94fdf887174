import { expect, test } from 'vitest'

import { ciPushOptions } from '../../../src/coordinator/repositories/push-options.js'

test('pipelines are skipped and given variables by push options; the last value of a name counts', () => {
  const options = [
    'ci.variable=A=1=2',
    'merge_request.create',
    'ci.variable=broken',
    'ci.variable=A=3',
    'ci.variable=B=',
  ]
  expect(ciPushOptions(options)).toEqual({
    skip: false,
    variables: [
      { key: 'A', value: '3', variable_type: 'env_var' },
      { key: 'B', value: '', variable_type: 'env_var' },
    ],
  })
  expect(ciPushOptions(['ci.skip'])).toEqual({ skip: true, variables: [] })
})
