// `npm run release -- 1.2.3`: checks, commits, packs and tags a release. Nothing leaves this machine.
import { join } from 'node:path'

import { CHECKS, flagOf, parseArguments } from './release/checks.mjs'
import { packRelease } from './release/pack.mjs'
import { planRelease } from './release/plan.mjs'
import { publish } from './release/publish.mjs'
import { readRepository } from './release/read-repository.mjs'
import { runShown } from './release/run-shown.mjs'
import { tagOf } from './release/version.mjs'
import { command } from './setup/command.mjs'
import { root } from './setup/root.mjs'
import { say, SetupError } from './setup/say.mjs'

const USAGE = `usage: npm run release -- VERSION|major|minor|patch ${CHECKS.map((check) => `[${flagOf(check)}]`).join(' ')}`

await command(async () => {
  const { version: wanted, made, leftOut } = parseArguments(process.argv.slice(2)) ?? refuse(USAGE)
  const before = await plan(wanted)
  for (const check of leftOut) say(`NOT CHECKED, because of ${flagOf(check)}: ${check.command.join(' ')}`)
  for (const check of made) await runShown(check.command, root)
  // The checks take hours, in which the clone may have changed.
  const after = await plan(wanted)
  if (after.head !== before.head)
    refuse(`The branch has moved since the checks, from ${before.head}. Try again.`)
  await publish(root, after, () => packRelease(join(root, 'release')), interruption())
  say(
    `${after.version} is in release/. Publish it: git push origin main ${tagOf(after.version)}, and upload the files.`,
  )
  return 0
})

/** Aborted by Ctrl-C, which also ends the command that runs. */
function interruption() {
  const controller = new AbortController()
  process.on('SIGINT', () => controller.abort(new SetupError('The release was interrupted, and is undone.')))
  return controller.signal
}

/** @param {string} wanted */
async function plan(wanted) {
  return planRelease(await readRepository(root), wanted, new Date().toISOString().slice(0, 10))
}

/**
 * @param {string} problem
 * @returns {never}
 */
function refuse(problem) {
  throw new SetupError(problem)
}
