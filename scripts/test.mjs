// `npm test`: sets up the tests and runs them. Arguments are passed to vitest. `--nightly` adds the long tests.
import { command } from './setup/command.mjs'
import { useMemoryFolder } from './setup/memory-folder.mjs'
import { prepare } from './setup/prepare.mjs'
import { runChild } from './setup/run-child.mjs'

const isNightly = process.argv.includes('--nightly')
const vitestArguments = process.argv.slice(2).filter((argument) => argument !== '--nightly')

await command(async () => {
  await prepare()
  if (isNightly) process.env.SWITCHYARD_TEST_NIGHTLY = 'true'
  const memory = await useMemoryFolder()
  try {
    return await runChild(['node_modules/vitest/vitest.mjs', 'run', ...vitestArguments])
  } finally {
    await memory.remove()
  }
})
