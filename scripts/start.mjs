// `npm start`: sets up a fresh clone, then starts a coordinator and a runner. Needs only Node.js and npm.
import { ensureBusybox } from './setup/busybox.mjs'
import { command } from './setup/command.mjs'
import { ensureDockerEngine } from './setup/docker-engine.mjs'
import { prepare } from './setup/prepare.mjs'
import { runChild } from './setup/run-child.mjs'

await command(async () => {
  await prepare()
  await ensureBusybox()
  const engine = await ensureDockerEngine()
  try {
    return await runChild(['dist/cli/main.js', 'up', ...process.argv.slice(2)])
  } finally {
    await engine.stop()
  }
})
