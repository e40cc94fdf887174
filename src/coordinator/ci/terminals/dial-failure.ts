/** Why the coordinator cannot connect to the session server of a runner. `code`: that of Node.js, if there is one. */
export type DialFailure =
  | { kind: 'local-address' }
  | { kind: 'status'; status: number }
  | { kind: 'certificate'; code: string }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'connection'; code: string | undefined }

/** For the person who has asked for the shell. */
export function describeDialFailure(failure: DialFailure): string {
  switch (failure.kind) {
    case 'local-address':
      return 'The runner is in the local network of this server, which connects to no address there. An administrator can list it in `outbound_local_requests_allowlist`, or set `allow_local_requests_from_web_hooks_and_services`'
    case 'status':
      return describeStatus(failure.status)
    case 'certificate':
      return `The certificate of the runner's session server is not valid for its address (${failure.code})`
    case 'timeout':
      return `The session server of the runner did not respond within ${failure.seconds} seconds. The script of the job may not run yet, or its \`advertise_address\` does not lead to it from this server`
    case 'connection':
      return `The session server of the runner cannot be reached (${failure.code ?? 'no WebSocket'}). Its \`advertise_address\` must lead to it from this server`
  }
}

function describeStatus(status: number): string {
  switch (status) {
    case 401:
    case 404:
      return 'The runner opens no more shells in this job: its session is over'
    case 423:
      return 'Somebody has a shell in this job already, and its runner opens one at a time'
    case 500:
    case 503:
      return `The runner has no terminal for this job yet (status ${status}). Try again when its script runs`
    default:
      return `The session server of the runner responded with status ${status}`
  }
}
