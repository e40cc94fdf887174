// `npm run dev`: serves the sources of a clone with accounts to try them, and restarts what has changed, until Ctrl-C.
import { parseArgs } from 'node:util'

import { command } from './setup/command.mjs'
import { prepareDependencies } from './setup/prepare.mjs'
import { SetupError } from './setup/say.mjs'

await command(async () => {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8930' }, inspect: { type: 'boolean', default: false } },
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_534) throw new SetupError('--port must be a number')
  await prepareDependencies()
  // Loaded only now, because it needs the packages.
  const { runDev } = await import('./dev/run-dev.mjs')
  return runDev({ port, inspect: values.inspect })
})
