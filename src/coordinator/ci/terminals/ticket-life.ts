/** Milliseconds within which a ticket is used, and a runner joins. */
export const TICKET_LIFE = 30_000
