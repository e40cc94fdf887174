// `npm run pictures`: takes pictures of all pages of the demo, in both themes and at two widths. The first argument is the
// folder for them, `.switchyard/pictures` by default; the test that takes them also checks the pages.
import { command } from './setup/command.mjs'
import { useMemoryFolder } from './setup/memory-folder.mjs'
import { prepare } from './setup/prepare.mjs'
import { runChild } from './setup/run-child.mjs'

const TEST = 'test/pages/every-page.nightly.test.ts'

await command(async () => {
  await prepare()
  const [folder = '.switchyard/pictures', ...rest] = process.argv.slice(2)
  process.env.SWITCHYARD_TEST_NIGHTLY = 'true'
  process.env.SWITCHYARD_PICTURES = folder
  const memory = await useMemoryFolder()
  try {
    return await runChild(['node_modules/vitest/vitest.mjs', 'run', '--project', 'nightly', TEST, ...rest])
  } finally {
    await memory.remove()
  }
})
