/** The session server of the runner of a running job. It is deleted with the lease of the job. */
export interface RunnerSessionTable {
  job_id: number
  /** HTTPS. */
  url: string
  /** PEM of the authority, or of the certificate itself; empty = the authorities of the system. */
  certificate: string
  authorization_encrypted: string
}
