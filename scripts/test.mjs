// `npm test`: sets up what the tests need, then runs them. Arguments are for vitest.
import { ensureBusybox } from './setup/busybox.mjs'
import { command } from './setup/command.mjs'
import { ensureDockerEngine } from './setup/docker-engine.mjs'
import { ensureGitLfs } from './setup/git-lfs.mjs'
import { useMemoryFolder } from './setup/memory-folder.mjs'
import { ensurePostgres } from './setup/postgres.mjs'
import { prepare } from './setup/prepare.mjs'
import { ensurePythonGitlab } from './setup/python-gitlab.mjs'
import { ensureRegistry } from './setup/registry.mjs'
import { runChild } from './setup/run-child.mjs'

await command(async () => {
  await prepare()
  await ensureBusybox()
  await ensureRegistry()
  await ensureGitLfs()
  await ensurePythonGitlab()
  if (!process.env.SWITCHYARD_TEST_DATABASE_URL) await ensurePostgres()
  const engine = await ensureDockerEngine()
  const memory = await useMemoryFolder()
  try {
    return await runChild(['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)])
  } finally {
    await memory.remove()
    await engine.stop()
  }
})
