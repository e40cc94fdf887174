import { expect, test } from 'vitest'

import { inputChanges, variableChanges } from '../../src/web/pages/schedules/schedule-changes.js'
import {
  inputText,
  pipelineCommand,
  variablesIn,
  withInput,
} from '../../src/web/records/pipeline-fields/variables-text.js'

test.each([
  [null, ''],
  ['text', 'text'],
  [2, '2'],
  [false, 'false'],
  [['a', 1], '["a",1]'],
])('the input %j is shown as %s', (value, text) => {
  expect(inputText(value)).toBe(text)
})

test('an empty field of a number has no value', () => {
  expect(withInput({ a: '1', b: '2' }, { name: 'a', type: 'number' }, '')).toEqual({ b: '2' })
  expect(withInput({ b: '2' }, { name: 'a', type: 'string' }, '')).toEqual({ a: '', b: '2' })
  expect(withInput({}, { name: 'a', type: 'array' }, '[1]')).toEqual({ a: '[1]' })
})

test('an address fills the variables of the form', () => {
  const search = new URLSearchParams('ref=main&var[KEY]=a b&file_var[CONFIG]=x&variable[NO]=1')
  expect(variablesIn(search)).toEqual([
    { key: 'KEY', value: 'a b', variable_type: 'env_var' },
    { key: 'CONFIG', value: 'x', variable_type: 'file' },
  ])
})

test('a command has the values quoted for a shell', () => {
  const variables = [{ key: 'NAME', value: "it's", variable_type: 'env_var' as const }]
  expect(pipelineCommand('https://ci.example.com', 'group/app', { ref: 'main', inputs: {}, variables })).toBe(
    String.raw`curl --fail-with-body --request POST \
  --header "PRIVATE-TOKEN: $TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"ref":"main","variables":[{"key":"NAME","value":"it'\''s","variable_type":"env_var"}]}' \
  'https://ci.example.com/api/v4/projects/group%2Fapp/pipeline'`,
  )
})

test('only variables that differ are sent', () => {
  const variable = (key: string, value: string) => ({
    key,
    value,
    variable_type: 'env_var' as const,
    raw: false,
  })
  const before = [variable('SAME', '1'), variable('OTHER', '1'), variable('GONE', '1')]
  const after = [variable('SAME', '1'), variable('OTHER', '2'), variable('NEW', '3')]
  expect(variableChanges(before, after)).toEqual([
    { method: 'DELETE', key: 'GONE' },
    { method: 'PUT', key: 'OTHER', body: { value: '2', variable_type: 'env_var' } },
    { method: 'POST', key: 'NEW', body: { key: 'NEW', value: '3', variable_type: 'env_var' } },
  ])
})

test('inputs keep their types unless they were typed, and go with their declaration', () => {
  const before = [
    { name: 'count', value: 2 },
    { name: 'size', value: 3 },
    { name: 'gone', value: 'x' },
    { name: 'cleared', value: 4 },
  ]
  const typed = { count: '2', size: '4', gone: 'x' }
  expect(inputChanges(before, typed, ['count', 'size', 'cleared'])).toEqual([
    { name: 'gone', destroy: true },
    { name: 'cleared', destroy: true },
    { name: 'size', value: '4' },
  ])
  // Without a valid CI file, no declaration is known.
  expect(inputChanges(before.slice(0, 3), typed, [])).toEqual([{ name: 'size', value: '4' }])
})
