import { encodePath } from '../../../addresses/address-of.js'

/** Sites are at `/-/pages/<project>/…`. For a reader of a private one, at `/-/pages/~<token>/…`. */
export const SITE_PREFIX = '/-/pages/'

/** The origins at which sites are, without a trailing slash. */
export interface SiteOrigins {
  /** That of `web.artifacts_url`, or of the coordinator. */
  artifactsUrl: string
  /** Below this one (`pages.domain`), each namespace has a host name of its own; undefined = none has. */
  pagesUrl?: string | undefined
}

/** The address of the public site of a project, with the slash at its end. */
export function siteUrl(origins: SiteOrigins, projectPath: string, pathPrefix = ''): string {
  const site = hostedSite(origins, projectPath) ?? namedSite(origins.artifactsUrl, projectPath)
  return pathPrefix === '' ? site : `${site}${pathPrefix}/`
}

/** The address of the site of a project by its name, which leads to the site. */
export function namedSite(origin: string, projectPath: string): string {
  return `${origin}${SITE_PREFIX}${encodePath(projectPath)}/`
}

/**
 * The address at the host of the namespace: `https://group.pages.example.net/project/`. The project `group/group.pages.example.net`
 * is at its root.
 */
function hostedSite({ pagesUrl }: SiteOrigins, projectPath: string): string | undefined {
  if (pagesUrl === undefined) return undefined
  const { protocol, host } = new URL(pagesUrl)
  const [namespace = '', ...rest] = projectPath.split('/')
  const label = namespace.toLowerCase()
  if (!HOST_LABEL.test(label)) return undefined
  const path = rest.join('/')
  const isRoot = path.toLowerCase() === rootProject(pagesUrl, label)
  return `${protocol}//${label}.${host}/${isRoot ? '' : `${encodePath(path)}/`}`
}

/** Of a host name. The certificate of a domain is for one label more, so a namespace with a `.` has no host. */
const HOST_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** The project of a namespace whose site is at the root of its host. */
export function rootProject(pagesUrl: string, namespace: string): string {
  return `${namespace}.${new URL(pagesUrl).hostname}`
}

/** Whether a host name is `pages.domain`, or below it. */
export function isPagesHost(pagesUrl: string, host: string): boolean {
  const name = canonicalHost(pagesUrl, host)
  const domain = new URL(pagesUrl).host
  return name === domain || name?.endsWith(`.${domain}`) === true
}

/** The namespace whose sites are at this host, in lower case. */
export function namespaceAt(pagesUrl: string, host: string): string | undefined {
  const name = canonicalHost(pagesUrl, host)
  const end = `.${new URL(pagesUrl).host}`
  if (!name?.endsWith(end)) return undefined
  const label = name.slice(0, -end.length)
  return HOST_LABEL.test(label) ? label : undefined
}

/** A host as the URLs of an origin write it: in lower case, and without the usual port. Undefined if it is none. */
export function canonicalHost(origin: string, host: string): string | undefined {
  const address = `${new URL(origin).protocol}//${host}`
  return URL.canParse(address) ? new URL(address).host : undefined
}

/** The request target of a site by its name, for one that came to the host of a namespace. */
export function targetByName(pagesUrl: string, host: string, target: string): string {
  const namespace = namespaceAt(pagesUrl, host)
  return namespace === undefined ? target : `${SITE_PREFIX}${namespace}${target}`
}
