import { extname } from 'node:path'

/** Content types that browsers show inside a page, and whose content cannot run scripts in the origin of the server. */
const TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.ico': 'image/vnd.microsoft.icon',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.ogv': 'video/ogg',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.oga': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
  '.pdf': 'application/pdf',
}

/** The content type of a picture, video, sound or PDF, by the name of the file; undefined for other files. */
export function shownType(fileName: string): string | undefined {
  return TYPES[extname(fileName).toLowerCase()]
}

/**
 * The policy of a PDF in a frame of a page. It has no `sandbox`, in which Firefox and Safari show no PDF. Their viewers
 * are apart from the origin of the server, and with `nosniff` the content is never taken for a page.
 */
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** Headers with which a page can show a file in place; none where those of all responses suffice. */
export function shownHeaders(contentType: string): Record<string, string> {
  return contentType === 'application/pdf' ? { 'content-security-policy': PDF_POLICY } : {}
}
