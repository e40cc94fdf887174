import type { UploadRow } from './uploads.js'

/** Media types that browsers may display inline; all others are downloaded. */
const SHOWN = /^(image\/(png|jpeg|gif|webp|bmp|tiff|vnd\.microsoft\.icon)|video\/(mp4|webm))$/

export function isShown({ content_type }: Pick<UploadRow, 'content_type'>): boolean {
  return SHOWN.test(content_type)
}

/** Headers that keep uploaded files from running scripts in the origin of the server. */
export function uploadHeaders(upload: UploadRow): Record<string, string> {
  const { filename, content_type, size, secret } = upload
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(filename)
  return {
    'content-type': content_type,
    'content-length': String(size),
    'content-disposition': `${isShown(upload) ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${full}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=300, must-revalidate',
    etag: `"${secret}"`,
  }
}
