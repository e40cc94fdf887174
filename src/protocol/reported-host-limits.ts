/** Maximum number of hosts that a runner reports, and of characters of a message, so that a request stays small. */
export const MAX_REPORTED_HOSTS = 50
export const MAX_REPORTED_MESSAGE = 200
