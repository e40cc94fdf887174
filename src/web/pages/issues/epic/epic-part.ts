/** What the parts of the page of an epic have in common. */
export interface EpicPart {
  /** Full path of the group. */
  group: string
  /** Path of the epic in the API. */
  path: string
  /** The user may change epics of the group. */
  manages: boolean
}
