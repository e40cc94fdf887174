// `npm run setup`: installs the dependencies and builds the programs.
import { command } from './setup/command.mjs'
import { prepare } from './setup/prepare.mjs'

await command(async () => {
  await prepare()
  return 0
})
