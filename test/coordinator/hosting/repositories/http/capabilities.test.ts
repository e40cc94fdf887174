import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { Capabilities } from '../../../../../src/coordinator/hosting/repositories/http/capabilities.js'

function saying(words: string[], exitCode: number) {
  const output = Readable.from(words.map((word) => Buffer.from(word)))
  return { output, channel: undefined, ended: Promise.resolve({ exitCode, signal: null, stderr: '' }) }
}

test('the output of a successful git command is cached for its repository', async () => {
  const capabilities = new Capabilities()
  expect(await text(capabilities.learn('/one', saying(['ver', 'sion 2'], 0)))).toBe('version 2')
  expect(capabilities.of('/one')?.toString()).toBe('version 2')
  expect(capabilities.of('/two')).toBeUndefined()
})

test('the output of a failed git command is passed on and not cached', async () => {
  const capabilities = new Capabilities()
  expect(await text(capabilities.learn('/one', saying(['half'], 128)))).toBe('half')
  expect(capabilities.of('/one')).toBeUndefined()
})
