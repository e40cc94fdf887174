import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { execa } from 'execa'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

import { hostileTexts } from '../ci-config/support/hostile-texts.mjs'
import { sampled } from '../support/nightly.js'
import { tempDir } from '../support/temp-dir.js'

/** Megabytes of the heap: 50 for a file, and 14 for Node.js, the compiler and the text itself. */
const HEAP = 64

test('no file takes more than 50 MB to be compiled or rejected', async () => {
  const script = join(await tempDir(), 'compile-hostile-texts.mjs')
  const source = fileURLToPath(new URL('../ci-config/support/compile-hostile-texts.mjs', import.meta.url))
  await using bundle = await rolldown({ input: source, platform: 'node' })
  await bundle.write({ file: script, format: 'esm' })
  const names = sampled(Object.keys(hostileTexts), 20)
  // A process that needs more is ended by Node.js; the last line names the text then.
  const { stdout, exitCode } = await execa('node', [`--max-old-space-size=${HEAP}`, script, ...names], {
    reject: false,
  })
  expect([stdout.split('\n').at(-1), exitCode]).toEqual(['done', 0])
})
