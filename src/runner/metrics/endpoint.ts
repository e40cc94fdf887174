/** The name of a call in metrics (runner protocol, 9.7). Undefined for calls that are not counted. */
export function endpointOf(method: string, path: string): string | undefined {
  const call = `${method} ${path.replace(/\?.*/, '').replace(/\d+/, ':id')}`
  switch (call) {
    case 'POST jobs/request':
      return 'request_job'
    case 'PUT jobs/:id':
      return 'update_job'
    case 'PATCH jobs/:id/trace':
      return 'patch_trace'
    case 'POST runners/reset_authentication_token':
      return 'reset_token'
    default:
      return undefined
  }
}
