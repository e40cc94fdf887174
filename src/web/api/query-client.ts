import { QueryClient } from '@tanstack/query-core'

import { RequestError } from './client.js'

const MAX_ATTEMPTS = 3

/** The cache of everything that the page has read. A key is the path of the API, or begins with it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 5 * 60_000,
      retry: (attempts, error) => attempts < MAX_ATTEMPTS && mayPass(error),
      retryDelay: (attempts, error) =>
        (error instanceof RequestError && error.retryAfter ? error.retryAfter : 2 ** attempts) * 1000,
      refetchOnWindowFocus: false,
    },
  },
})
queryClient.mount()

/** Whether the same request may succeed later: no response, or a server that is starting. */
function mayPass(error: Error): boolean {
  if (!(error instanceof RequestError)) return false
  return error.status === 0 || error.status >= 502
}
