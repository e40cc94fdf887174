import { expect, test } from 'vitest'

import { messageWithCauses } from '../../src/lib/errors.js'

const refused = new Error('connect ECONNREFUSED 127.0.0.1:1')

test.each([
  ['a message alone', new Error('broken'), 'broken'],
  [
    'a cause that is not told',
    new Error('fetch failed', { cause: refused }),
    `fetch failed: ${refused.message}`,
  ],
  [
    'a cause with a message',
    new Error(`no server: ${refused.message}`, { cause: refused }),
    `no server: ${refused.message}`,
  ],
  [
    'a cause of a cause',
    new Error('no job', { cause: new Error('fetch failed', { cause: refused }) }),
    `no job: fetch failed: ${refused.message}`,
  ],
  ['a cause that is no error', new Error('broken', { cause: 'x' }), 'broken'],
])('%s appears once', (_, error, shown) => {
  expect(messageWithCauses(error)).toBe(shown)
})
