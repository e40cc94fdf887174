import fc from 'fast-check'
import { expect, test } from 'vitest'

import { decodeContent } from '../../../../../src/coordinator/hosting/repositories/change/decode-content.js'

/** What the content of a request may be, as an expression. */
function decodeByExpression(content: string): Buffer | undefined {
  const packed = content.replace(/\s+/g, '')
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 === 0
  return isBase64 ? Buffer.from(packed, 'base64') : undefined
}

test('content is Base64 of the usual alphabet with its padding, and white space anywhere', () => {
  expect(decodeContent(' aGV\nsbG8=\n', 'base64')?.toString()).toBe('hello')
  for (const text of ['aGVsbG8', 'aGV=bG8=', 'a-_=', 'aGVs!G8=', 'a===', 'aé==']) {
    expect(decodeContent(text, 'base64')).toBeUndefined()
  }
  const pieces = fc.constantFrom('a', 'Z', '0', '+', '/', '=', '==', '-', '_', ' ', '\n', '!', 'é', 'aGVs')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (given) => {
      const text = given.join('')
      expect(decodeContent(text, 'base64')).toEqual(decodeByExpression(text))
    }),
    { numRuns: 3000 },
  )
})
