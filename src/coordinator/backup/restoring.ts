/**
 * A file in a data folder that is not restored completely. Another restore begins again, and a coordinator does not
 * start.
 */
export const RESTORING = 'restore-is-incomplete'
