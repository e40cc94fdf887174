import { extname } from 'node:path'

import { shownType } from '../../../http/shown-types.js'

const TYPES: Record<string, string> = {
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/plain',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.xml': 'text/xml',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.zip': 'application/zip',
  '.gz': 'application/gzip',
}

/** Chosen by the file extension. Clients that expect text look for `text/`. */
export function contentTypeOf(path: string): string {
  return shownType(path) ?? TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
}
