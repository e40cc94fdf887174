/**
 * An extension of this project. If the job payload contains `features.resumable_uploads`, a runner can upload an
 * artifact in any number of requests. They are below the URL of the job and use the job token:
 *
 *     GET   artifacts/uploads/<artifact type>   204, `Upload-Offset`: number of bytes received so far
 *     PATCH artifacts/uploads/<artifact type>   bytes from `Upload-Offset` on; 204 with the next offset, 409 with the right one
 *     POST  artifacts/uploads/<artifact type>   all bytes were sent: responds like an upload in one request
 *
 * The bytes of an interrupted PATCH are kept. A second PATCH ends the first. The last request has the query of an
 * upload and a body with `filename`, `size` and `sha256` of the whole artifact. If the digest does not match, the
 * bytes are deleted (409, offset 0). An unfinished upload is deleted after a day.
 */
export const UPLOAD_OFFSET_HEADER = 'upload-offset'

export function parseUploadOffset(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
