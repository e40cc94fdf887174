import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { Capabilities } from '../../../../../src/coordinator/hosting/repositories/http/capabilities.js'

function saying(words: string[], exitCode: number) {
  const output = Readable.from(words.map((word) => Buffer.from(word)))
  return { output, ended: Promise.resolve({ exitCode, signal: null, stderr: '' }) }
}

test('what git said is remembered for its repository when it ended well', async () => {
  const capabilities = new Capabilities()
  expect(await text(capabilities.learn('/one', saying(['ver', 'sion 2'], 0)))).toBe('version 2')
  expect(capabilities.of('/one')?.toString()).toBe('version 2')
  expect(capabilities.of('/two')).toBeUndefined()
})

test('what git said before it failed is passed on and not remembered', async () => {
  const capabilities = new Capabilities()
  expect(await text(capabilities.learn('/one', saying(['half'], 128)))).toBe('half')
  expect(capabilities.of('/one')).toBeUndefined()
})
