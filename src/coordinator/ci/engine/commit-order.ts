/**
 * The order in which a transaction, before its commit, writes the rows that many pipelines share, and then
 * emits its events (`beforeCommit`).
 */
export const COMMIT_ORDER = { deployments: 1, environments: 2, resourceGroups: 3, events: 4 } as const
