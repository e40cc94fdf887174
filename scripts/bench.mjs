// `npm run bench`: sets up the benchmarks and runs all of them, or the named ones.
import { ensureModules } from './setup/build.mjs'
import { ensureBusybox } from './setup/busybox.mjs'
import { command } from './setup/command.mjs'
import { ensureDockerEngine } from './setup/docker-engine.mjs'
import { ensurePostgres } from './setup/postgres.mjs'
import { prepare } from './setup/prepare.mjs'
import { runChild } from './setup/run-child.mjs'

await command(async () => {
  await prepare()
  await ensureModules()
  await ensureBusybox()
  await ensurePostgres()
  const engine = await ensureDockerEngine()
  try {
    return await runChild(['test/bench/main.mjs', ...process.argv.slice(2)])
  } finally {
    await engine.stop()
  }
})
