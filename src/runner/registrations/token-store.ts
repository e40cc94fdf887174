import { hasToken, storeToken } from '../config/config-changes.js'
import { changeConfigFile, checkWritable } from '../config/config-file.js'
import type { RunnerEntry } from '../config/settings.js'
import type { TokenStore } from './token-rotation.js'

/** Keeps the tokens of one runner in the settings file, each in the place of the one before. */
export function tokenStore(file: string, { url, token }: Pick<RunnerEntry, 'url' | 'token'>): TokenStore {
  let stored = token
  return {
    check: () => checkWritable(file),
    save: async (next) => {
      await changeConfigFile(file, storeToken(hasToken(url, stored, process.env), next))
      stored = next.token
    },
  }
}
