import type { SingleIssue } from '../../../../coordinator/planning/issues/record-schema.js'

/** What the parts of the page of an issue have in common. */
export interface IssueProps {
  project: string
  issue: SingleIssue
  /** Path of the issue in the API. */
  path: string
  /** The user may change everything of every issue. */
  manages: boolean
  /** The user may change title, description, state and confidentiality. */
  mayEdit: boolean
  mayDelete: boolean
  /** Why nothing can be changed now, such as an archived project. */
  reason: string | undefined
  /** After a change: reads again what is shown. */
  onChanged: () => void
}
