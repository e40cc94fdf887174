/** `State.StartedAt` of a container that was only created. */
export const NEVER_STARTED = '0001-01-01T00:00:00Z'
