/** What the trace of a job that is with a runner must not show, beside the token of the job. */
export interface TraceSecretTable {
  job_id: number
  /** A JSON list of texts, encrypted. */
  secrets_encrypted: string
}
