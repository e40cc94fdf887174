import { isIPv6 } from 'node:net'

import { SourcesError } from '../workspace.js'

export interface SubmoduleAddressRules {
  /** URL of the repository that contains the submodule, without credentials. */
  parentUrl: string
  /** URL of the job's repository, without credentials. Only its server receives the job's token. */
  repositoryUrl: string
  /** Other URLs of that server. */
  serverUrls: string[]
  forceHttps: boolean
}

export interface SubmoduleAddress {
  /** May contain credentials from `.gitmodules` itself, and no others. */
  url: string
  /** Whether the job's token gives access. */
  isOwnServer: boolean
}

/**
 * The URL from which a submodule is fetched. Git runs on the host, so only http and https are allowed.
 * `checkedAddress` decides whether the host may be contacted. Throws `SourcesError` with the name of the submodule.
 */
export function submoduleAddress(
  name: string,
  written: string,
  rules: SubmoduleAddressRules,
): SubmoduleAddress {
  const own = new URL(rules.repositoryUrl)
  const url = httpUrl(name, written, rules, own)
  if (url.search !== '' || url.hash !== '') throw refusal(name, written, 'has a query or a fragment')
  if (isServer(url, rules)) {
    url.protocol = own.protocol
    url.host = own.host
    url.username = ''
    url.password = ''
  }
  return { url: url.href, isOwnServer: url.origin === own.origin }
}

function httpUrl(name: string, written: string, rules: SubmoduleAddressRules, own: URL): URL {
  if (/^\.\.?(\/|$)/.test(written)) return relativeTo(rules.parentUrl, written)
  const ssh = sshAddress(written)
  if (ssh && rules.forceHttps) return httpsInstead(ssh, rules, own)
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const advice = ssh ? '; GIT_SUBMODULE_FORCE_HTTPS converts it to one' : ''
  throw refusal(name, written, `is not an http or https URL${advice}`)
}

/** Resolves like git: each `../` removes one component from the end of the parent's URL. */
function relativeTo(parentUrl: string, written: string): URL {
  const url = new URL(parentUrl)
  const components = url.pathname.replace(/\/+$/, '').split('/')
  for (const component of written.split('/')) {
    if (component === '..') {
      if (components.length > 1) components.pop()
    } else if (component !== '.' && component !== '') components.push(component)
  }
  url.pathname = components.join('/') || '/'
  return url
}

interface SshAddress {
  host: string
  path: string
}

/** `ssh://git@host:22/path` or `git@host:path`. */
function sshAddress(written: string): SshAddress | undefined {
  if (/^(git\+)?ssh:\/\//.test(written)) {
    if (!URL.canParse(written)) return undefined
    const { hostname, pathname } = new URL(written)
    return { host: hostname, path: pathname.replace(/^\/+/, '') }
  }
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/.exec(written) ?? []
  return host === undefined || path === undefined || host === 'ext' ? undefined : { host, path }
}

function httpsInstead({ host, path }: SshAddress, rules: SubmoduleAddressRules, own: URL): URL {
  const servers = [own, ...rules.serverUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url))]
  const base = servers.some(({ hostname }) => hostname === host.toLowerCase())
    ? own.origin
    : `https://${host}`
  return new URL(`/${path}`, base)
}

function isServer(url: URL, { serverUrls }: SubmoduleAddressRules): boolean {
  return serverUrls.some((server) => URL.canParse(server) && new URL(server).origin === url.origin)
}

/** Whether a URL from a job or a server leads to the machine of the runner. The job's own server may be there. */
export function leadsIntoMachine({ hostname }: URL, own: URL): boolean {
  return hostname !== own.hostname && isLocal(hostname)
}

/** Loopback and link-local addresses, whose services trust local clients. */
function isLocal(hostname: string): boolean {
  const name = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  if (isIPv6(name)) return name === '::' || name === '::1' || /^fe[89ab]/.test(name) || /^::ffff:/.test(name)
  return /^(127|0)\.|^169\.254\./.test(name)
}

function refusal(name: string, written: string, problem: string): SourcesError {
  const shown = written.replace(/\/\/[^@/]*@/, '//')
  return new SourcesError(`The address of the submodule "${name}" (${shown}) ${problem}`, undefined)
}
