/** Secrets to mask in the log of a running job, besides the job token. */
export interface TraceSecretTable {
  job_id: number
  /** A JSON list of texts, encrypted. */
  secrets_encrypted: string
}
