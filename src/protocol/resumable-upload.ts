/**
 * Ours, and additive: to a coordinator whose job payload says `features.resumable_uploads`, a runner can send an artifact
 * in as many requests as the network makes of it. Below the job's own address, with the job token:
 *
 *     GET   artifacts/uploads/<artifact type>   204, `Upload-Offset`: bytes that are there already
 *     PATCH artifacts/uploads/<artifact type>   bytes from `Upload-Offset` on; 204 with the next one, 409 with the true one
 *     POST  artifacts/uploads/<artifact type>   all bytes are there: answers as the upload in one request does
 *
 * What arrived of a PATCH that is broken off counts. Of two at a time, the later one ends the other. The last call has
 * the query of an upload, and with it `filename`, `size` and `sha256` of the whole; bytes that turn out to be others are
 * thrown away (409, offset 0). What nobody goes on with is thrown away after a day.
 */
export const UPLOAD_OFFSET_HEADER = 'upload-offset'

export function parseUploadOffset(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
