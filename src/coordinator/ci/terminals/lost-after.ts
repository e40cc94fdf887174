import { SECOND } from '../../../lib/time-units.js'

/** Milliseconds between two records that a terminal is open, and checks of a person's rights. */
export const SEEN_EVERY = 30 * SECOND
/** Milliseconds after which a terminal that was not seen counts as lost, because its coordinator was killed. */
export const LOST_AFTER = 3 * SEEN_EVERY
