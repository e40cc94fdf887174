import { expect, test } from 'vitest'

import { errorReference } from './error-reference.js'

// `npx vitest run --project fast test/docs/errors.test.ts -u` writes the document after a change of the catalogue.
test('docs/reference/errors.md is made from the catalogue of errors', async () => {
  await expect(errorReference()).toMatchFileSnapshot('../../docs/reference/errors.md')
})
