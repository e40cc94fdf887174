import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Git as somebody types it, but for settings of this machine. */
const ENVIRONMENT = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

/**
 * @param {string[]} args
 * @param {string} [cwd]
 * @returns {Promise<string>} what it printed
 */
export async function runGit(args, cwd) {
  const { stdout } = await run('git', args, { env: ENVIRONMENT, ...(cwd === undefined ? {} : { cwd }) })
  return stdout.trim()
}
