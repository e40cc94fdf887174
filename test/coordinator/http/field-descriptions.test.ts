import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { compileParameters } from '../../../src/coordinator/http/parameters/compile-parameters.js'
import { described } from '../../../src/coordinator/http/parameters/described.js'
import { Nullable } from '../../../src/coordinator/http/parameters/types.js'

test('a description changes nothing else about a field', () => {
  const plain = Type.Optional(Nullable(Type.String()))
  const schema = Type.Object({
    name: described(plain, 'What people call it; null = nothing.'),
    id: described(Type.Integer(), 'Its number.'),
  })
  expect(schema).toMatchObject({
    required: ['id'],
    properties: { name: { description: 'What people call it; null = nothing.' } },
  })
  expect(plain).not.toHaveProperty('description')
  expect(compileParameters(schema)({ id: '1', name: null })).toEqual({ id: 1, name: null })
  expect(compileParameters(schema)({ id: 1 })).toEqual({ id: 1 })
})
