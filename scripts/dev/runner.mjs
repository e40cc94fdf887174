import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parse, stringify } from 'smol-toml'

import { ensureBusybox } from '../setup/busybox.mjs'
import { engineAddress, engineResponds } from '../setup/docker-ping.mjs'
import { CommandError, run } from '../setup/run.mjs'
import { say, SetupError } from '../setup/say.mjs'
import { DATA_FOLDER, MAIN } from './paths.mjs'

/** Where `switchyard up` keeps the settings and the state of its runner. */
const FOLDER = join(DATA_FOLDER, 'runner')
const CONFIG = join(FOLDER, 'config.toml')

/**
 * Registers a runner, before the coordinator runs: `switchyard up` does that, builds the image of the sample project and
 * runs its pipeline.
 * @param {{ listen: string, environment: Record<string, string> }} coordinator
 * @returns {Promise<boolean>} false if there is nothing to run jobs in
 */
export async function ensureRunner({ listen, environment }) {
  const address = engineAddress(process.env)
  if (!(await engineResponds(address))) {
    say(`no Docker engine responds at ${address.name}: jobs stay pending; pages, API and git work`)
    return false
  }
  try {
    await ensureBusybox()
    if (!existsSync(CONFIG)) {
      say('registering a runner, with the pipeline of a sample project')
      await run(
        process.execPath,
        [MAIN, 'up', '--once', '--data-dir', DATA_FOLDER, '--listen', listen],
        environment,
      )
    }
  } catch (error) {
    if (!(error instanceof SetupError || error instanceof CommandError)) throw error
    say(`there is no runner, so jobs stay pending: ${error.message}`)
    return false
  }
  await setUrl(`http://${listen}`)
  return true
}

/** The port may have changed since the last start. @param {string} url */
async function setUrl(url) {
  const table = /** @type {{ runners: { url: string }[] }} */ (parse(await readFile(CONFIG, 'utf8')))
  for (const runner of table.runners) runner.url = url
  await writeFile(CONFIG, stringify(table), { mode: 0o600 })
}

/** Arguments and environment of the process. */
export const RUNNER = {
  args: ['runner', 'run', '--config', CONFIG],
  environment: { SWITCHYARD_RUNNER_DATA_DIR: join(FOLDER, 'data') },
}
