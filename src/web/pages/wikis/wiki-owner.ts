import { addressOf, type Query } from '../../../addresses/address-of.js'
import { groupApi, projectApi } from '../../../addresses/first-reads.js'
import { boot } from '../../api/boot.js'

/** The project or group that has a wiki. */
export interface WikiOwner {
  kind: 'project' | 'group'
  /** Full path. */
  path: string
}

/** The page that `/-/wikis` shows. */
export const HOME = 'home'
/** The page that is shown above the list of pages. */
export const SIDEBAR = '_sidebar'

/** The path of the owner in the API. */
export function ownerApi({ kind, path }: WikiOwner): string {
  return kind === 'project' ? projectApi(path) : groupApi(path)
}

/** The path of the wiki in the API, below its prefix. */
export function wikiApi(owner: WikiOwner): string {
  return `${ownerApi(owner)}/wikis`
}

/** The path of a page in the API, below its prefix. */
export function pageApi(owner: WikiOwner, slug: string): string {
  return `${wikiApi(owner)}/${encodeURIComponent(slug)}`
}

/** The address of a page; the home page has that of the wiki. */
export function pageAddress({ kind, path }: WikiOwner, slug: string, query: Query = {}): string {
  const shown = slug === HOME ? '' : slug
  return kind === 'project'
    ? addressOf('wikis/page', { project: path, slug: shown }, query)
    : addressOf('wikis/group-page', { group: path, slug: shown }, query)
}

/** @param title that of the new page, with its folders */
export function newAddress(owner: WikiOwner, title?: string): string {
  return pageAddress(owner, 'new', { title })
}

/** The address of the editor of a page, of its versions, or of what one of them changed. */
export function viewAddress(
  { kind, path }: WikiOwner,
  view: 'edit' | 'history' | 'diff',
  slug: string,
  query: Query = {},
): string {
  return kind === 'project'
    ? addressOf('wikis/view', { project: path, slug, view }, query)
    : addressOf('wikis/group-view', { group: path, slug, view }, query)
}

/** Addresses to clone the wiki from. */
export function cloneAddresses({ path }: WikiOwner): { http: string; ssh: string | undefined } {
  const { external_url: base, serves_ssh: servesSsh } = boot
  return {
    http: `${base}/${path}.wiki.git`,
    ssh: servesSsh ? `git@${new URL(base).hostname}:${path}.wiki.git` : undefined,
  }
}
