/** IDs of records that committed transactions changed. */
export interface ChangedRecords extends WikiOwners {
  jobs?: number[]
  /** Pipelines, or statuses that other systems reported for them. */
  pipelines?: number[]
  deletedPipelines?: { id: number; project_id: number }[]
  projects?: number[]
  runners?: number[]
  /** Users whose to-do items changed. */
  todosOf?: number[]
  /** Issues, their comments, or their emoji. */
  issues?: number[]
  /** Merge requests, their comments, or their emoji. */
  mergeRequests?: number[]
  /** Epics, their comments, or what is in them. */
  epics?: number[]
  /** Snippets, their comments, or their emoji. */
  snippets?: number[]
  deletedPlanned?: DeletedPlanned[]
}

/** IDs of projects and groups whose wikis have changed. */
export interface WikiOwners {
  projectWikis?: number[]
  groupWikis?: number[]
}

/** A record that was deleted. */
export type DeletedPlanned = DeletedInList | { kind: 'epic' | 'snippet'; id: number }

/** An issue or merge request that was deleted. */
export interface DeletedInList {
  kind: 'issue' | 'merge-request'
  id: number
  project_id: number
  /** The project alone did not decide who might see it. */
  confidential: boolean
}

/** A message of a coordinator with changes or live streams to the others. Each part is absent if it is empty. */
export interface LiveNews {
  changed?: ChangedRecords
  /** Jobs whose logs have grown, with the size that readers may see, in bytes. */
  grown?: [jobId: number, size: number][]
  /** The sender has live streams, and these read the logs of these jobs. Repeated while it has. */
  watched?: number[]
  /** The sender has begun to listen: the others repeat `watched`. */
  asks?: true
  /** The coordinator with this ID, or all (`*`), may have missed changes of the sender. */
  missedBy?: string
}
