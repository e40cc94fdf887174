import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import { canInstallPackages, installPackages } from './debian-packages.mjs'
import { engineAddress, engineResponds } from './docker-ping.mjs'
import { startDockerd } from './dockerd.mjs'
import { findProgram } from './find-program.mjs'
import { run } from './run.mjs'
import { say, SetupError } from './say.mjs'

/** An engine on a slow disk needs some time to read its data. */
const START_MILLISECONDS = 90_000
const POLL_MILLISECONDS = 200

/** @typedef {{ stop(): Promise<void> }} EngineHold stops the engine if it was started here */

/** @type {EngineHold} */
const NOT_OURS = { stop: () => Promise.resolve() }

/**
 * Makes sure that a Docker engine responds: the running one, or else that of the distribution.
 * @returns {Promise<EngineHold>}
 * @throws {SetupError} that names what to install or start
 */
export async function ensureDockerEngine() {
  const address = engineAddress(process.env)
  if (await engineResponds(address)) return NOT_OURS
  if (process.env.DOCKER_HOST || !(await canInstallPackages())) throw new SetupError(advice(address.name))
  if (!(await findProgram('dockerd'))) await installPackages(['docker.io'], 'run jobs')
  if (await engineResponds(address)) return NOT_OURS
  return startEngine(address)
}

/** @param {string} address */
function advice(address) {
  return (
    `No Docker engine responds at ${address}. Install one (on Debian and Ubuntu: sudo apt-get install docker.io), ` +
    'start it, and see that this user may use it (sudo usermod -aG docker "$USER", then log in again).'
  )
}

/**
 * @param {import('./docker-ping.mjs').EngineAddress} address
 * @returns {Promise<EngineHold>}
 */
async function startEngine(address) {
  if (existsSync('/run/systemd/system')) {
    say('starting the Docker engine (systemctl start docker)')
    await run('systemctl', ['start', 'docker'])
    await untilResponds(address, { isStarting: () => true, lastLines: () => 'see journalctl -u docker' })
    return NOT_OURS
  }
  say('starting the Docker engine in the background, until this command ends')
  const dockerd = await startDockerd()
  try {
    await untilResponds(address, dockerd)
  } catch (error) {
    await dockerd.stop()
    throw error
  }
  return dockerd
}

/**
 * @param {import('./docker-ping.mjs').EngineAddress} address
 * @param {{ isStarting(): boolean, lastLines(): string }} engine
 */
async function untilResponds(address, engine) {
  const deadline = Date.now() + START_MILLISECONDS
  while (!(await engineResponds(address))) {
    if (Date.now() > deadline || !engine.isStarting())
      throw new SetupError(`The Docker engine did not start: ${engine.lastLines()}`)
    await pause(POLL_MILLISECONDS)
  }
}
