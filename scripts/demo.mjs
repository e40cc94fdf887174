// `npm run demo`: builds what is missing, and starts an installation to look at.
import { command } from './setup/command.mjs'
import { useMemoryFolder } from './setup/memory-folder.mjs'
import { prepare } from './setup/prepare.mjs'
import { runChild } from './setup/run-child.mjs'

await command(async () => {
  await prepare()
  // The past of the demo is thousands of transactions.
  const memory = await useMemoryFolder()
  try {
    return await runChild(['scripts/demo/main.mjs', ...process.argv.slice(2)])
  } finally {
    await memory.remove()
  }
})
