// `npm run setup`: dependencies and build, for those who want to go on by themselves.
import { command } from './setup/command.mjs'
import { prepare } from './setup/prepare.mjs'

await command(async () => {
  await prepare()
  return 0
})
