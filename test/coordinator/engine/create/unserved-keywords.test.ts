import { expect, test } from 'vitest'

import { unservedKeywords } from '../../../../src/coordinator/engine/create/unserved-keywords.js'
import { planOf } from '../../../ci-config/support/compile-text.js'

test.each<[string, string[]]>([
  ['{script: x}', []],
  ['{trigger: p}', []],
  ['{needs: {pipeline: p}}', []],
  ['{script: x, needs: [{pipeline: 1, job: a}]}', []],
  ['{script: x, needs: [{project: p, ref: r, job: a}]}', []],
  ['{script: x, id_tokens: {T: {aud: a}}, secrets: {S: {vault: a/b}}}', []],
  [
    '{script: x, id_tokens: {T: {aud: a}}, secrets: {S: {azure_key_vault: {name: a}}}}',
    ['secrets:azure_key_vault'],
  ],
])('%s would do something else without %j, and is refused', async (job, keywords) => {
  expect(unservedKeywords(await planOf(`t: ${job}`))).toEqual(
    keywords.map((keyword) => `jobs:t:${keyword} is not supported by this version of Switchyard`),
  )
})
