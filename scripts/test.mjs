// `npm test`: sets up the tests and runs them. Arguments are passed to vitest. `--nightly` adds the long tests.
import { command } from './setup/command.mjs'
import { useMemoryFolder } from './setup/memory-folder.mjs'
import { prepare } from './setup/prepare.mjs'
import { runChild } from './setup/run-child.mjs'
import { runTests } from './test/run-tests.mjs'

const isNightly = process.argv.includes('--nightly')
const args = process.argv.slice(2).filter((argument) => argument !== '--nightly')

await command(async () => {
  await prepare()
  if (isNightly) process.env.SWITCHYARD_TEST_NIGHTLY = 'true'
  const memory = await useMemoryFolder()
  try {
    return await runTests({
      args,
      runVitest(vitestArgs, report) {
        process.env.SWITCHYARD_TEST_REPORT = report
        return runChild(['node_modules/vitest/vitest.mjs', 'run', ...vitestArgs])
      },
      list: '.switchyard/failed-once.txt',
      print: (text) => process.stdout.write(text),
    })
  } finally {
    await memory.remove()
  }
})
