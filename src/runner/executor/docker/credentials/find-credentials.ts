import { messageOf } from '../../../../lib/errors.js'
import type { JobLog } from '../../../trace/job-log.js'
import type { RegistryAuth } from './auth-config.js'
import { askHelper, listHelper } from './credential-helper.js'
import type { CredentialSource } from './credential-sources.js'
import { registryPaths } from './registry-path.js'

export interface FoundCredentials {
  auth: RegistryAuth
  source: string
  givenBy: 'job' | 'runner'
}

/** The addresses that each store knows, by their path. */
type Stores = Map<string, ReadonlyMap<string, string>>

/**
 * The credentials for an image: of the longest path that any source knows, the first source's (runner protocol, 7.6).
 * Undefined when nobody knows any; a program that fails is a warning.
 */
export async function findCredentials(
  sources: readonly CredentialSource[],
  image: string,
  log: Pick<JobLog, 'warning'>,
): Promise<FoundCredentials | undefined> {
  const paths = registryPaths(image)
  const host = paths.at(-1) ?? ''
  const stores: Stores = new Map()
  for (const path of paths) {
    for (const source of sources) {
      const auth = await lookUp(source, path, stores).catch((error: unknown) => {
        log.warning(`The credentials of ${source.name} for ${path} are not used: ${messageOf(error)}`)
        return undefined
      })
      if (auth)
        return { auth: { serveraddress: host, ...auth }, source: source.name, givenBy: source.givenBy }
    }
  }
  return undefined
}

/** As docker does: the program for the registry, then the one for all, then what is written down. */
async function lookUp(
  { config, environment }: CredentialSource,
  path: string,
  stores: Stores,
): Promise<RegistryAuth | undefined> {
  const helper = config.helpers.get(path)
  const kept = helper && (await askHelper(helper.program, helper.server, environment))
  if (kept) return kept
  const written = config.auths.get(path)
  if (written || config.store === undefined) return written
  const server = (await serversOf(config.store, stores, environment)).get(path)
  return server === undefined ? undefined : askHelper(config.store, server, environment)
}

/** Asked once for an image, also when it fails. */
async function serversOf(
  store: string,
  stores: Stores,
  environment: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, string>> {
  const known = stores.get(store)
  if (known) return known
  stores.set(store, new Map())
  const servers = await listHelper(store, environment)
  stores.set(store, servers)
  return servers
}
