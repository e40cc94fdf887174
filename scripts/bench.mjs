// `npm run bench`: sets up what the benchmarks need, then runs them.
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
    return await runChild(['test/bench/main.mjs'])
  } finally {
    await engine.stop()
  }
})
