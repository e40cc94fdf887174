/** In which order a transaction writes, as its last, the rows that many pipelines share, and what hooks hear of all that (`beforeCommit`). */
export const LAST_TURNS = { deployments: 1, environments: 2, resourceGroups: 3, hooks: 4 } as const
