import { extname } from 'node:path'

import { contentTypeOf } from '../content-type.js'

/** What pages load besides the types of downloads. */
const TYPES: Record<string, string> = {
  '.xhtml': 'application/xhtml+xml',
  '.mjs': 'text/javascript',
  '.cjs': 'text/javascript',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.avif': 'image/avif',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.eot': 'application/vnd.ms-fontobject',
  '.vtt': 'text/vtt',
  '.atom': 'application/atom+xml',
  '.rss': 'application/rss+xml',
  '.yml': 'text/plain',
  '.yaml': 'text/plain',
  '.toml': 'text/plain',
}

const TEXT = /^text\/|[+/](?:json|xml)$|^application\/javascript$/

/**
 * The content type of a file that is read in place. Texts are UTF-8, as nearly all reports are: many of them do not name
 * their encoding.
 */
export function webTypeOf(path: string): string {
  const type = TYPES[extname(path).toLowerCase()] ?? contentTypeOf(path)
  return TEXT.test(type) ? `${type}; charset=utf-8` : type
}
