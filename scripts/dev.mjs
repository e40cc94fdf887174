// `npm run dev`: builds the programs and the pages again at each change, until Ctrl-C.
import { command } from './setup/command.mjs'
import { runChild } from './setup/run-child.mjs'

await command(async () => {
  const codes = await Promise.all([
    runChild(['node_modules/rolldown/bin/cli.mjs', '-c', '--watch']),
    runChild(['scripts/web/build.mjs', '--watch']),
  ])
  return Math.max(...codes)
})
