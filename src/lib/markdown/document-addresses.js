import { posix } from 'node:path'

/** An uploaded file, as texts name it: it is in no repository. */
const UPLOAD = /^\/uploads\/[0-9a-f]{32}\/[^/]+$/

/** A file that was attached to a page of a wiki: its path begins at the root, in a page of any folder. */
const ATTACHED = /^uploads\/[0-9a-f]{32}\//

/** The end of a file of a page; other names with a dot are those of other files. */
const PAGE_ENDING = /\.(?:md|markdown|mkdn?|mkdown|rdoc|asciidoc|adoc|org)$/i

/**
 * Where a document of a repository is. `base` is the address before the pages of its project (`/group/project/-`),
 * `path` the path of the document in the repository.
 * @typedef {{ base: string, ref: string, path: string }} FileLocation
 */

/**
 * Where a page of a wiki is. `pages` is the address of the pages (`/group/project/-/wikis`), `files` that of the bytes of
 * files, `path` the path of the page in the repository.
 * @typedef {{ pages: string, files: string, path: string }} WikiLocation
 */

/** @typedef {FileLocation | WikiLocation} DocumentLocation */

/**
 * Addresses to which relative URLs in a document lead. As in the file system, but that `/` is the root of the
 * repository. `page` is for links, `picture` for the bytes of pictures.
 * @param {DocumentLocation} location
 */
export function createDocumentAddresses(location) {
  return 'pages' in location ? addressesInWiki(location) : addressesInRepository(location)
}

/** @param {WikiLocation} location */
function addressesInWiki({ pages, files, path }) {
  /** @param {string} url */
  const targetOf = (url) => (ATTACHED.test(url) ? resolve(`/${url}`, path) : resolve(url, path))
  /** @param {string} target */
  const formatFile = (target) => `${files}/${encodeURIComponent(target)}`
  return {
    /** @param {string} url */
    page: (url) => {
      if (UPLOAD.test(url)) return url
      const { target, suffix } = targetOf(url)
      if (ATTACHED.test(target)) return formatFile(target)
      const slug = target.replace(PAGE_ENDING, '').replace(/\/$/, '').replaceAll(' ', '-')
      return `${pages}${slug === '' ? '' : `/${encodePath(slug)}`}${suffix}`
    },
    /** @param {string} url */
    picture: (url) => (UPLOAD.test(url) ? url : formatFile(targetOf(url).target)),
  }
}

/** @param {FileLocation} location */
function addressesInRepository({ base, ref, path }) {
  const refPart = encodePath(ref)
  return {
    /** @param {string} url */
    page: (url) => {
      if (UPLOAD.test(url)) return url
      const { target, suffix } = resolve(url, path)
      const isFolder = target === '' || target.endsWith('/')
      return isFolder ? formatAddress('tree', target) + suffix : formatAddress('blob', target) + suffix
    },
    /** @param {string} url */
    picture: (url) => {
      if (UPLOAD.test(url)) return url
      const { target, suffix } = resolve(url, path)
      return formatAddress('raw', target) + suffix
    },
  }

  /**
   * @param {'tree' | 'blob' | 'raw'} kind
   * @param {string} target
   */
  function formatAddress(kind, target) {
    return `${base}/${kind}/${[refPart, encodePath(target.replace(/\/$/, ''))].filter(Boolean).join('/')}`
  }
}

/**
 * The target, from the root of the repository, and the query and fragment.
 * @param {string} url
 * @param {string} from
 */
function resolve(url, from) {
  const end = url.search(/[?#]/)
  const path = decode(end < 0 ? url : url.slice(0, end))
  const suffix = end < 0 ? '' : url.slice(end)
  if (path === '') return { target: from, suffix }
  const folder = path.startsWith('/') ? '/' : `/${posix.dirname(from)}`
  // From the root, so that `..` leads no further up.
  return { target: posix.join('/', folder, path).slice(1), suffix }
}

/** @param {string} path */
function decode(path) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // not percent-encoded
  }
}

/** @param {string} path */
function encodePath(path) {
  return path.split('/').map(encodeURIComponent).join('/')
}
