import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import type { Cluster, Context, User } from '@kubernetes/client-node'
import { newClusters, newContexts, newUsers } from '@kubernetes/client-node/dist/config_types.js'
import { parse } from 'yaml'

import { messageOf } from '../../../../../lib/errors.js'
import { isRecord } from '../../../../../lib/is-record.js'
import { credentialsError } from './credentials.js'

/** What a context of kubeconfig files names. */
export interface KubeconfigContext {
  cluster: Cluster
  user: KubeconfigUser
  namespace: string | undefined
}

export interface KubeconfigUser extends User {
  /** A file with a token that is renewed. */
  tokenFile?: string
  impersonatedGroups?: string[]
}

interface Kubeconfig {
  file: string
  current: string | undefined
  clusters: Cluster[]
  contexts: Context[]
  users: KubeconfigUser[]
}

/**
 * Reads kubeconfig files, as kubectl does: of entries with the same name, the first file wins. `context`: undefined for the current one.
 * Throws a `ClusterError` that names the file and the remedy.
 */
export async function readKubeconfig(
  files: readonly string[],
  context: string | undefined,
): Promise<KubeconfigContext> {
  const configs: Kubeconfig[] = []
  for (const file of files) configs.push(await readKubeconfigFile(file))
  const place = files.join(' and ')
  const name = context ?? configs.find(({ current }) => current)?.current
  if (!name) {
    throw credentialsError(
      `The kubeconfig ${place} has no current context: name one of its contexts in the settings (${namesOf(configs, 'contexts')})`,
    )
  }
  const found = find(configs, 'contexts', name)
  if (!found) {
    throw credentialsError(
      `The kubeconfig ${place} has no context "${name}": its contexts are ${namesOf(configs, 'contexts')}`,
    )
  }
  const cluster = find(configs, 'clusters', found.cluster)
  if (!cluster) throw missing(place, name, 'cluster', found.cluster)
  const user = find(configs, 'users', found.user)
  if (!user && found.user) throw missing(place, name, 'user', found.user)
  return { cluster, user: user ?? { name: '' }, namespace: found.namespace }
}

async function readKubeconfigFile(file: string): Promise<Kubeconfig> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw credentialsError(
      `The kubeconfig ${file} cannot be read: ${messageOf(error)}. Check its path and its owner.`,
      error,
    )
  }
  try {
    return readEntries(file, text)
  } catch (error) {
    throw credentialsError(
      `The kubeconfig ${file} is not valid: ${messageOf(error)}. Compare it with the output of "kubectl config view".`,
      error,
    )
  }
}

function readEntries(file: string, text: string): Kubeconfig {
  // Without the lines around an error, because these may hold a token.
  const config: unknown = parse(text, { prettyErrors: false })
  if (!isRecord(config)) throw new Error('it is no list of clusters, users and contexts')
  const folder = dirname(file)
  const clusters = newClusters(config['clusters'])
  for (const each of clusters) if (each.caFile) each.caFile = resolve(folder, each.caFile)
  const current = config['current-context']
  return {
    file,
    current: typeof current === 'string' ? current : undefined,
    clusters,
    contexts: newContexts(config['contexts']),
    users: readUsers(config['users'], folder),
  }
}

/** The official client does not read all of a user. */
function readUsers(entries: unknown, folder: string): KubeconfigUser[] {
  if (!Array.isArray(entries)) return []
  const users = newUsers(entries)
  return users.map((user, index) => {
    const entry: unknown = entries[index]
    const more = isRecord(entry) && isRecord(entry['user']) ? entry['user'] : {}
    const tokenFile = more['tokenFile']
    const groups: unknown = more['as-groups']
    if (user.certFile) user.certFile = resolve(folder, user.certFile)
    if (user.keyFile) user.keyFile = resolve(folder, user.keyFile)
    const plugin: unknown = user.exec
    return Object.assign(user, {
      ...(isRecord(plugin) && { exec: withPath(plugin, folder) }),
      ...(typeof tokenFile === 'string' && tokenFile !== '' && { tokenFile: resolve(folder, tokenFile) }),
      ...(Array.isArray(groups) && { impersonatedGroups: groups.map(String) }),
    })
  })
}

/** A command with a slash is relative to the kubeconfig. Others are found by PATH. */
function withPath(plugin: Record<string, unknown>, folder: string): Record<string, unknown> {
  const { command } = plugin
  return typeof command === 'string' && command.includes('/')
    ? { ...plugin, command: resolve(folder, command) }
    : plugin
}

function find<Key extends 'clusters' | 'contexts' | 'users'>(
  configs: readonly Kubeconfig[],
  key: Key,
  name: string,
): Kubeconfig[Key][number] | undefined {
  return configs
    .flatMap((config): Kubeconfig[Key][number][] => config[key])
    .find((each) => each.name === name)
}

function namesOf(configs: readonly Kubeconfig[], key: 'contexts'): string {
  const names = configs.flatMap((config) => config[key].map(({ name }) => `"${name}"`))
  return names.length === 0 ? 'none' : names.join(', ')
}

function missing(place: string, context: string, kind: 'cluster' | 'user', name: string) {
  return credentialsError(
    `The context "${context}" of the kubeconfig ${place} names the ${kind} "${name}", which is not there: add it, or choose another context`,
  )
}
