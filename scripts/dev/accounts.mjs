import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Api } from '../demo/api.mjs'
import { Company } from '../demo/company.mjs'
import { people } from '../demo/people.mjs'
import { sizes } from '../demo/plan.mjs'
import { say } from '../setup/say.mjs'
import { DATA_FOLDER } from './paths.mjs'

/** Written last: a folder without it is from a first start that was ended. */
const FILE = join(DATA_FOLDER, 'accounts.json')

/** Of the data folder, so that it is new for each clone: anybody who knows it can run jobs on this machine. @typedef {{ password: string }} Accounts */

/** Whether the data folder has the accounts. */
export const hasAccounts = () => existsSync(FILE)

/**
 * Creates the people, groups and projects of the demo, without their past, unless they exist.
 * @param {string} url of the coordinator
 * @returns {Promise<{ signInLink: string, names: string[], password: string }>}
 */
export async function ensureAccounts(url) {
  const api = Api.connect(url, await adminToken())
  try {
    const { password } = hasAccounts() ? await readAccounts() : await createAccounts(api)
    const { url: signInLink } = await api.post('/users/1/sign_in_links')
    return { signInLink, names: ['root', ...people.map(({ username }) => username)], password }
  } finally {
    await api.close()
  }
}

/** @returns {Promise<Accounts>} */
async function readAccounts() {
  return JSON.parse(await readFile(FILE, 'utf8'))
}

/**
 * @param {Api} api
 * @returns {Promise<Accounts>}
 */
async function createAccounts(api) {
  say('creating the people and projects of the demo')
  const password = randomBytes(9).toString('base64url')
  const repositories = await mkdtemp(join(tmpdir(), 'switchyard-dev-'))
  try {
    const company = new Company(api, password)
    await api.put('/users/1', { password })
    await company.addPeople()
    await company.addProjects({ folder: repositories, size: sizes.small, end: Date.now() })
  } finally {
    await rm(repositories, { recursive: true, force: true })
  }
  await writeFile(FILE, JSON.stringify({ password }), { mode: 0o600 })
  return { password }
}

async function adminToken() {
  return (
    process.env.SWITCHYARD_ADMIN_TOKEN ?? (await readFile(join(DATA_FOLDER, 'admin-token'), 'utf8')).trim()
  )
}
