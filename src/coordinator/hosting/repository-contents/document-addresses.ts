import { posix } from 'node:path'

import type { DocumentAddresses } from '../../../lib/render-markdown.js'

/** An uploaded file, as texts name it: it is in no repository. */
const UPLOAD = /^\/uploads\/[0-9a-f]{32}\/[^/]+$/

/**
 * Addresses of the pages of files to which a file at `path` refers by relative URLs. As in the file system, but that `/`
 * is the root of the repository.
 */
export function documentAddresses(
  externalUrl: string,
  projectPath: string,
  ref: string,
  path: string,
): DocumentAddresses {
  const base = `${new URL(externalUrl).pathname.replace(/\/$/, '')}/${projectPath}/-`
  const refPart = encodedPath(ref)
  return {
    page: (url) => {
      if (UPLOAD.test(url)) return url
      const { target, suffix } = resolve(url, path)
      const isFolder = target === '' || target.endsWith('/')
      return isFolder ? addressOf('tree', target) + suffix : addressOf('blob', target) + suffix
    },
    picture: (url) => {
      if (UPLOAD.test(url)) return url
      const { target, suffix } = resolve(url, path)
      return addressOf('raw', target) + suffix
    },
  }

  function addressOf(kind: 'tree' | 'blob' | 'raw', target: string): string {
    return `${base}/${kind}/${[refPart, encodedPath(target.replace(/\/$/, ''))].filter(Boolean).join('/')}`
  }
}

interface Resolved {
  /** From the root of the repository. */
  target: string
  /** Query and fragment. */
  suffix: string
}

function resolve(url: string, from: string): Resolved {
  const end = url.search(/[?#]/)
  const path = decoded(end < 0 ? url : url.slice(0, end))
  const suffix = end < 0 ? '' : url.slice(end)
  if (path === '') return { target: from, suffix }
  const folder = path.startsWith('/') ? '/' : `/${posix.dirname(from)}`
  // From the root, so that `..` leads no further up.
  return { target: posix.join('/', folder, path).slice(1), suffix }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // not percent-encoded
  }
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
